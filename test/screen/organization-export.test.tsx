import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {addDays} from '../../src/domain/time.ts';
import {csvRows} from '../support/csv.ts';
import type {Reply} from '../support/fault-server.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {createOrganization} from '../support/organization.ts';
import {isRead, openOrganization, yesterday} from '../support/organization-screen.ts';
import {organizationReply} from '../support/organization-server.ts';
import {json} from '../support/replies.ts';
import {has} from '../support/screen.tsx';

const month = {startDate: addDays(yesterday, -29), endDate: yesterday};
const organization = createOrganization({
	users: 12,
	range: {startDate: addDays(yesterday, -59), endDate: yesterday},
	seed: 7,
	missing: 0.1,
	unattributed: 0.1,
});

const changes = [2, 1].map(revision => ({
	revision,
	updatedAt: `2026-03-0${revision}T08:00:00Z`,
	user: {id: 'u-1', email: 'boss@example.org'},
	settings: {
		cloudSessionSync: revision === 2,
		customModels: [{model: 'own', apiKey: `sk-${revision}-s3cr3t-value`}],
	},
}));

/** Answers for everything the four views ask. */
function everything(): Reply {
	const usage = organizationReply(organization);
	const end = {hasMore: false, nextCursor: null};
	return (response, request) => {
		if (request.path.includes('enterprise-controls'))
			return json({changes, pagination: end})(response, request);
		return usage(response, request);
	};
}

async function opened(key: string) {
	const open = await openOrganization(key, everything());
	await open.screen.until(isRead);
	return open;
}

/** Takes what a field offers away, and types another. */
const erase = '\x15';
const named = (path: string) => [erase, path];
const rowsOf = (csv: string) => csv.trimEnd().split('\n');

type Row = Readonly<Record<string, unknown>> & {
	readonly quarterdeck?: Readonly<Record<string, unknown>>;
};
/** Each cell of the CSV is the value that its row has in the JSON, and an empty one is unknown there. */
function expectSameRows(csv: string, rows: readonly Row[]): void {
	const read = csvRows(csv);
	const names = Object.keys(read[0] ?? {});
	expect(names.length).toBeGreaterThan(rows.length > 0 ? 1 : -1);
	const cellOf = (row: Row, name: string) => String(row[name] ?? row.quarterdeck?.[name] ?? '');
	expect(read).toEqual(rows.map(row => Object.fromEntries(names.map(name => [name, cellOf(row, name)]))));
}

describe('export', () => {
	test('writes every table shown to a file of its own, with the rows of the JSON', async () => {
		const {screen} = await opened('4');
		const folder = temporaryFolder();
		await screen.press('x');
		const form = (await screen.until(has('Export this page'))).join('\n');
		expect(form).toContain(`usage-credits-${month.startDate}-${month.endDate}.csv`);
		expect(form).toContain('5 files, each with');
		await screen.press(...named(join(folder, 'mine.csv')));
		await screen.until(has('5 files, each with'));
		await screen.press('\r');
		await screen.until(has(/Wrote .*, 5 files: \d+ rows, [\d.]+ kB/));
		await screen.press('x', ...named(join(folder, 'mine.json')));
		await screen.press('\t', 'j', '\x13');
		await screen.until(has(/Wrote .*mine\.json/));
		const {data} = JSON.parse(readFileSync(join(folder, 'mine.json'), 'utf8'));
		const tables = Object.entries(data) as [string, Row[]][];
		expect(tables).toHaveLength(5);
		for (const [name, rows] of tables)
			expectSameRows(readFileSync(join(folder, `mine-${name.replaceAll('_', '-')}.csv`), 'utf8'), rows);
	});

	test.each(['4', '7'])('is refused in view %s without any rows, even to the clipboard', async key => {
		const {screen, copied} = await openOrganization(key, (response, request) => {
			const list = {users: [], pagination: {hasMore: false, nextCursor: null}};
			return json({...list, data: [], meta: {}})(response, request);
		});
		await screen.until(has(/no usage data|no users/i));
		expect((await screen.rows()).at(-1)).not.toContain('x export');
		await screen.press('x');
		await screen.until(has('Nothing to export'));
		await screen.press('y');
		expect(copied).toEqual([]);
		expect((await screen.until(isRead)).join('\n')).not.toContain('Export this page');
	});

	test('exports no other days than those chosen, which are still being read', async () => {
		const chosen = Promise.withResolvers<void>();
		let isHeld = false;
		const answer = everything();
		const {screen} = await openOrganization('4', async (response, request) => {
			if (isHeld) await chosen.promise;
			return answer(response, request);
		});
		await screen.until(isRead);
		isHeld = true;
		await screen.press('>', 'x');
		const rows = await screen.until(has('Still reading'));
		expect(rows.join('\n')).not.toContain('Export this page');
		chosen.resolve();
		await screen.until(has('90 days'));
	});

	test('writes the chosen table to the named file, private to its owner, and says how much', async () => {
		const {screen} = await opened('4');
		const file = join(temporaryFolder(), 'mine.csv');
		await screen.press('x');
		await screen.until(has('Export this page', 'Credits are called billable_tokens in the file'));
		await screen.press('\x1b[Z', '\x1b[Z', '\x1b[C');
		const form = (await screen.until(has('by day'))).join('\n');
		expect(form).toContain(`usage-credits-by-day-${month.startDate}-${month.endDate}.csv`);
		await screen.press('\t', '\t');
		await screen.until(has(`in ${process.cwd()}`.slice(0, 40)));
		await screen.press(...named(file), '\r');
		await screen.until(has(/Wrote \/.*: 30 rows, [\d.]+ kB/));
		const [heading, ...rows] = rowsOf(readFileSync(file, 'utf8'));
		expect(heading).toMatch(/^date,billable_tokens,model-/);
		const reported = organization.tokens().filter(({date}) => date >= month.startDate);
		const sum = rows.reduce((all, row) => all + Number(row.split(',')[1]), 0);
		expect(sum).toBeCloseTo(
			reported.reduce((all, row) => all + (row.billable_tokens ?? 0), 0),
			6,
		);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	test('replaces an existing file only after a yes', async () => {
		const {screen} = await opened('4');
		const folder = temporaryFolder();
		const file = join(folder, 'mine-by-day.csv');
		writeFileSync(file, 'old');
		await screen.press('x');
		await screen.until(has('Export this page'));
		await screen.press(...named(join(folder, 'mine.csv')), '\r');
		await screen.until(has(/│ {2}y yes {3}n no/));
		await screen.press('n');
		await screen.until(has('already exists'));
		expect(readFileSync(file, 'utf8')).toBe('old');
		expect(existsSync(join(folder, 'mine-by-model.csv'))).toBe(false);
		await screen.press('\r');
		await screen.until(has(/│ {2}y yes {3}n no/));
		await screen.press('y');
		await screen.until(has(/Wrote .*, 5 files: \d+ rows/));
		expect(readFileSync(file, 'utf8')).toMatch(/^date,billable_tokens/);
		expect((await screen.rows()).join('\n')).not.toContain('Export this page');
	});

	test("reports in the form what can't be written, and stays open", async () => {
		const {screen} = await opened('4');
		const file = join(temporaryFolder(), 'nowhere', 'mine.csv');
		await screen.press('x');
		await screen.until(has('Export this page'));
		await screen.press(...named(file), '\r');
		await screen.until(has('folder does not exist'));
		expect(existsSync(file)).toBe(false);
		await screen.press(erase, '\r');
		await screen.until(has('The name is missing'));
		await screen.press('\x1b');
		await screen.until(has('By model'));
	});

	test('marks an incomplete list on the screen, in the file and in the notice', async () => {
		const all = everything();
		const {screen, parts} = await openOrganization('6', (response, request) =>
			request.path.includes('enterprise-controls')
				? json({changes, pagination: {hasMore: true, nextCursor: null}})(response, request)
				: all(response, request),
		);
		await screen.until(isRead);
		const note = 'the service gives no cursor to what may follow';
		await screen.until(has(note));
		const folder = temporaryFolder();
		await screen.press('x', ...named(join(folder, 'mine.csv')), '\r');
		await screen.until(has(/Wrote .*: \d+ rows/));
		expect(JSON.stringify(parts.stores.notices.getState())).toContain(`(${note})`);
		for (const name of ['changes', 'revisions']) {
			const rows = rowsOf(readFileSync(join(folder, `mine-${name}.csv`), 'utf8'));
			expect(rows.at(-1)).toBe(`# ${note}`);
		}
		await screen.press('x', ...named(join(folder, 'mine.json')));
		await screen.press('\t', 'j', '\x13');
		await screen.until(has(/Wrote .*mine\.json/));
		const {quarterdeck} = JSON.parse(readFileSync(join(folder, 'mine.json'), 'utf8'));
		expect(quarterdeck.notes).toEqual([note]);
	});

	test('exports people as they are shown: filtered and ordered', async () => {
		const {screen, copied} = await opened('4');
		await screen.press('p');
		await screen.until(has('CREDITS▼'));
		await screen.press('s', 'j', '\r');
		await screen.until(has('SESSIONS▼'));
		await screen.press('/', 'person', '\r');
		const seen = await screen.until(lines => lines.filter(line => /Person\d+@/.test(line)).length > 2);
		await screen.press('y');
		await screen.until(has(/Copied \d+ rows of people as CSV/));
		const [heading, ...rows] = rowsOf(copied[0] ?? '');
		expect(heading).toMatch(/^user_email,billable_tokens,sessions,/);
		const shown = seen.flatMap(line => line.match(/Person\d+@example\.org/)?.[0] ?? []);
		expect(rows.map(row => row.split(',')[0])).toEqual(shown);
		const sessions = rows.map(row => Number(row.split(',')[2]));
		expect(sessions).toEqual(sessions.toSorted((a, b) => b - a));
	});

	test('copies to the clipboard from the form', async () => {
		const {screen, copied} = await opened('7');
		await screen.press('x');
		await screen.until(has('Export this page'));
		await screen.press('\x1b[Z', 'c', '\x13');
		await screen.until(has(/Copied 12 rows of users as CSV/));
		expect(rowsOf(copied[0] ?? '')[0]).toMatch(/^email,last_sign_in_at,last_day,/);
		expect(rowsOf(copied[0] ?? '')).toHaveLength(13);
	});
});

describe('a range of any two days', () => {
	test('is checked while typing, requested, and compared with as many days before', async () => {
		const {screen, parts} = await opened('4');
		const from = addDays(yesterday, -20);
		const to = addDays(yesterday, -11);
		await screen.press('d');
		await screen.until(has('Date range'));
		await screen.press(erase, '2026-02-30');
		await screen.until(has('Not a date: use YYYY-MM-DD'));
		await screen.press(erase, '2026-01-13');
		await screen.until(has('Before 2026-01-14'));
		await screen.press(erase, from, '\t', erase, addDays(yesterday, 1));
		await screen.until(has(`After ${yesterday}, the last day available`));
		await screen.press(erase, addDays(from, -1), '\r');
		await screen.until(has(`Before ${from}, the first day`));
		await screen.press(erase, to, '\r');
		await screen.until(has(`10 days  ${from} to ${to} UTC`));
		await screen.until(has('vs the 10 days before'));
		const {data} = parts.stores.organization.getState().usage;
		expect(data?.before?.range).toEqual({startDate: addDays(from, -10), endDate: addDays(from, -1)});
		await screen.press('>');
		await screen.until(has(`14 days  ${addDays(yesterday, -13)}`));
	});
});
