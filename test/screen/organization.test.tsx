import {describe, expect, test} from 'vitest';
import {addDays} from '../../src/domain/time.ts';
import {guardWrite} from '../../src/term/guarded-stdout.ts';
import {expectStraightBorders} from '../support/borders.ts';
import type {Reply} from '../support/fault-server.ts';
import {createOrganization} from '../support/organization.ts';
import {isRead, openOrganization, yesterday} from '../support/organization-screen.ts';
import {organizationReply} from '../support/organization-server.ts';
import {json} from '../support/replies.ts';
import {has} from '../support/screen.tsx';

const whole = {users: 30, range: {startDate: addDays(yesterday, -89), endDate: yesterday}, seed: 5};
const organization = createOrganization({...whole, missing: 0.1, unattributed: 0.1});
const hostile = '\x1b]52;c;aGk=\x07\x1b[2J\r\n\x9b5m\u202eevil\u200b\ud800 👩‍👩‍👧‍👦\t界';

const report = (index: number, passes: number) => ({
	reportId: `r-${index}`,
	createdAt: Date.now() - index * 86_400_000,
	repoUrl: `https://me:s3cr3t@host.example/acme/${index % 2 === 0 ? 'shop' : 'api'}.git`,
	branch: hostile,
	hasLocalChanges: true,
	report: {
		tests: {numerator: passes, denominator: 2, rationale: `Two suites ${hostile}`},
		lint: {numerator: 2, denominator: 2},
		docs: {numerator: index === 0 ? 2 : 0, denominator: 2},
		odd: {numerator: null, denominator: 0},
	},
});
const reports = [report(0, 1), report(1, 0), report(2, 2)];
const changes = [
	{
		revision: 2,
		updatedAt: '2026-03-02T08:00:00Z',
		user: {email: 'boss@example.org'},
		settings: {telemetry: false, customModels: [{model: 'own', apiKey: 'sk-n3w-s3cr3t-value'}]},
	},
	{
		revision: 1,
		updatedAt: 'never',
		user: null,
		settings: {
			telemetry: true,
			[hostile]: hostile,
			customModels: [{model: 'own', apiKey: 'sk-0ld-s3cr3t-value'}],
		},
	},
];

/** Answers for everything the four views ask. */
function everything(): Reply {
	const usage = organizationReply(organization);
	const names = {firstName: 'Ann', lastName: hostile};
	const end = {hasMore: false, nextCursor: null};
	return (response, request) => {
		const {path, query} = request;
		if (path.includes('maturity-level-reports'))
			return json({reports: query.startAfter === undefined ? reports : []})(response, request);
		if (path.includes('enterprise-controls')) return json({changes, pagination: end})(response, request);
		if (path.endsWith('organization/users') && query.cursor === undefined) {
			const users = [
				...organization.users,
				{id: 'u-null', email: null, ...names, createdAt: 'x', lastSignInAt: 5},
				{
					id: 'u-fresh',
					email: 'fresh@example.org',
					createdAt: `${yesterday}T08:00:00Z`,
					lastSignInAt: `${yesterday}T09:00:00Z`,
				},
			];
			return json({users, pagination: end})(response, request);
		}
		return usage(response, request);
	};
}

const opened = (key: string, columns = 120, rows = 40, reply: Reply = everything()) =>
	openOrganization(key, reply, {columns, rows});

/** Keys from each view on; each of them at every size. */
test.each([
	['4', ['', 'a', 'u', 'o', 't', 'p', 'f']],
	['5', ['', '\r', 'v']],
	['6', ['', '\r']],
	['7', ['']],
] as const)('view %s at every size: straight borders, no foreign bytes, no secret', async (key, steps) => {
	const {screen, parts} = await opened(key);
	const isSettled = () => {
		const all = Object.values(parts.stores.organization.getState());
		return all.some(({data}) => data) && all.every(({progress}) => !progress);
	};
	await screen.until(isSettled);
	for (const keys of steps) {
		await screen.press(...keys);
		await screen.until(isSettled);
		for (const [columns, rows] of [
			[40, 12],
			[200, 50],
		] as const) {
			await screen.resize(columns, rows);
			expect(await screen.rows()).toHaveLength(rows);
			expectStraightBorders(screen.cells());
		}
	}
	for (const chunk of screen.written) {
		expect(guardWrite(chunk).foreign, JSON.stringify(chunk)).toBe(0);
		expect(chunk).not.toContain('s3cr3t');
	}
});

describe('questions, each answered on one screen within two keys of the view', () => {
	const sum = new Intl.NumberFormat('en', {maximumFractionDigits: 2});
	const inRange = (from: string) =>
		organization.work.filter(one => one.date >= from && !organization.missing.has(one.date));
	const month = addDays(yesterday, -29);

	test('what did we use, is it rising, which models, who', async () => {
		const {screen} = await opened('4');
		const text = (await screen.until(isRead)).join('\n');
		const credits = inRange(month).reduce((all, {credits: one}) => all + one, 0);
		expect(text).toContain(`${sum.format(credits)} credits`);
		expect(text).toMatch(/[▲▼=] [+-]?[\d.]+ % vs the 30 days before/);
		expect(text).toMatch(/By model.*\n/);
		expect(text).toContain('unattributed');
		expect(text).toMatch(/By user +\d+ users/);
		expect(text).toContain(`${month} to ${yesterday} UTC`);
	});

	test('keys change the range to fewer days, more days, or all', async () => {
		const {screen, server} = await opened('4');
		await screen.until(isRead);
		await screen.press('<');
		await screen.until(has(`14 days  ${addDays(yesterday, -13)}`));
		await screen.press('<');
		await screen.until(has(`7 days  ${addDays(yesterday, -6)}`));
		await screen.press('>', '>', '>', '>');
		await screen.until(has('2026-01-14 to'));
		await screen.press('a');
		await screen.until(has('weekly active users are complete from 2026-01-20, monthly from 2026-02-12'));
		await screen.press('m');
		const thisMonth = `${yesterday.slice(0, 7)}-01`;
		await screen.until(has(`${thisMonth} to ${yesterday} UTC`));
		await screen.press('m');
		await screen.until(has(`-01 to ${addDays(thisMonth, -1)} UTC`));
		expect(server.requests.every(({query}) => (query.startDate ?? '2026-01-14') >= '2026-01-14')).toBe(true);
	});

	test('the values of a chosen day; a missing day is unknown, not zero', async () => {
		const {screen} = await opened('4');
		await screen.until(isRead);
		const missing = [...organization.missing].findLast(date => date >= month && date < yesterday) as string;
		const back = Math.round((Date.parse(yesterday) - Date.parse(missing)) / 86_400_000);
		for (let day = 0; day < back; day++) await screen.press('h');
		await screen.until(has(new RegExp(`${missing} +unknown`)));
		expect((await screen.rows()).join('\n')).toMatch(/┄ \d+ of 30 days unknown/);
	});

	test('which repositories are least ready, why, and what has changed since', async () => {
		const {screen} = await opened('5');
		const list = await screen.until(isRead);
		const at = (words: string) => list.findIndex(line => line.includes(words));
		expect(at('acme/api')).toBeLessThan(at('acme/shop'));
		await screen.press('j', '\r');
		const text = (await screen.until(has('Criteria'))).join('\n');
		expect(text).toMatch(/◐ partial +1\/2 +tests[\s\S]*┄ unknown[\s\S]*✓ pass +2\/2 +docs/);
		expect(text).toContain('local changes');
		await screen.press('v');
		const compared = (await screen.until(has('Compared with'))).join('\n');
		expect(compared).toMatch(
			/Newly failing[\s\S]*tests +✓ pass 2\/2 → ◐ partial 1\/2[\s\S]*Newly passing[\s\S]*docs/,
		);
	});

	test('a key shows the settings in force beside their history', async () => {
		const {screen} = await opened('6');
		await screen.until(isRead);
		await screen.press('\t');
		const settings = (await screen.until(has('Current settings'))).join('\n');
		expect(settings).toMatch(/customModels +\[.*2026-03-02 +2 +boss@example\.org +2/);
		expect(settings).not.toContain('s3cr3t');
		await screen.press('j', '\r');
		const one = (await screen.until(has('set in revision 2'))).join('\n');
		expect(one).toContain('2026-03-02 08:00:00 UTC');
		expect(one).toContain('***');
		expect(one).not.toContain('s3cr3t');
		await screen.press('\t');
		await screen.until(has('2 revisions'));
	});

	test('what has changed in our controls, and who changed it; secrets stay masked', async () => {
		const {screen} = await opened('6');
		const text = (await screen.until(isRead)).join('\n');
		expect(text).toMatch(/2 +2026-03-02.*boss@example\.org +telemetry, /);
		await screen.press('\r');
		const one = (await screen.until(has('revision 2'))).join('\n');
		expect(one).toMatch(/telemetry +changed[\s\S]*- true[\s\S]*\+ false/);
		expect(one).toContain('secret, value hidden');
		await screen.press('\x1b', '/', 'nosuch', '\r');
		await screen.until(has('No revision changed a matching setting'));
	});

	test('the users table marks inactive ones, takes any order and range, and opens one', async () => {
		const {screen} = await opened('7');
		await screen.until(has('○ inactive'));
		const work = inRange(month);
		const active = new Set(work.map(({user}) => user));
		// Two more are users of whom no analytics tell.
		expect((await screen.rows()).join('\n')).toContain(`${32 - active.size} inactive`);
		await screen.press('s', 'j', 'j', '\r');
		const lines = await screen.until(has('CREDITS▼'));
		const spent = organization.users.map((_, user) =>
			work.filter(one => one.user === user).reduce((all, {credits}) => all + credits, 0),
		);
		const most = organization.users[spent.indexOf(Math.max(...spent))];
		const first = lines.find(line => line.includes('▌')) ?? '';
		expect(first).toContain(most?.email ?? most?.id);
		expect(first).toContain(sum.format(Math.max(...spent)));
		await screen.press('>');
		await screen.until(has('usage of 90 days'));
		await screen.press('<', 's', '\r');
		await screen.until(has('CREDITS▲'));
		await screen.press('f', 'f');
		await screen.until(has(/▸ \d+ inactive/));
		await screen.press('/', 'person8@', '\r');
		await screen.until(has('/person8@'));
		await screen.press('\r');
		await screen.until(has('No activity on these days'));
		expect((await screen.rows()).join('\n')).toMatch(
			/last sign-in .* UTC \(\d+d ago\).*joined 2025-09-09 \d\d:\d\d:\d\d UTC[\s\S]*id user-000008/,
		);
		await screen.press('\x1b');
		await screen.until(has(/▸ 1 of \d+ inactive/));
	});
});

describe('states', () => {
	test('a refused role is reported, and r asks the service again', async () => {
		const refused = json({title: 'Forbidden', detail: 'Manager or Owner required'}, 403);
		const {screen, server} = await opened('4', 120, 40, refused);
		await screen.until(has('r refreshes'));
		expect((await screen.rows()).join('\n')).toMatch(/✗ .*/);
		server.otherwise(everything());
		await screen.press('r');
		await screen.until(has('By model'));
	});

	test('data stays when refreshing fails, and says how old it is', async () => {
		const {screen, server} = await opened('6');
		await screen.until(isRead);
		server.otherwise(json({}, 500));
		await screen.press('r');
		const text = (await screen.until(has('Showing data from'))).join('\n');
		expect(text).toContain('stale');
		expect(text).toContain('boss@example.org');
	});

	test('a part that fails is named beside the rest, and read again with r', async () => {
		const all = everything();
		const {screen, server} = await opened('4', 120, 40, (response, request) =>
			(request.path.endsWith('/tools') ? json({title: 'Broken'}, 500) : all)(response, request),
		);
		const text = (await screen.until(has('The rest is up to date; r refreshes'))).join('\n');
		expect(text).toMatch(/✗ tools: .*500/);
		expect(text).toMatch(/partial, read \d+s ago/);
		expect(text).toContain('By model');
		server.otherwise(all);
		await screen.press('r');
		await screen.until(rows => isRead(rows) && !has('✗ tools')(rows) && has('By model')(rows));
	});

	test('a role that may not see usage still sees the users', async () => {
		const refused = json({title: 'Forbidden', detail: 'Manager or Owner required'}, 403);
		const all = everything();
		const {screen, server} = await opened('7', 120, 40, (response, request) =>
			(request.path.includes('/analytics/') ? refused : all)(response, request),
		);
		const text = (await screen.until(has('User activity: '))).join('\n');
		expect(text).toContain('Manager or Owner required');
		expect(text).toContain('▸ 32 users');
		expect(text).not.toContain('inactive  ');
		server.otherwise(all);
		await screen.press('r');
		await screen.until(has('○ inactive'));
	});

	/** Users, but no row of analytics. */
	function withoutUsage(): Reply {
		const all = everything();
		const none = json({data: [], meta: {org_id: 'org-1', has_more: false, next_cursor: ''}});
		return (response, request) => (request.path.includes('/analytics/') ? none : all)(response, request);
	}
	const noData = 'The service has no usage data for these days.';

	test('without data for the days, activity is unknown in every view, and nobody is called inactive', async () => {
		const {screen} = await opened('4', 120, 40, withoutUsage());
		await screen.until(has(noData));
		await screen.press('p');
		const people = await screen.until(has('▸ unknown active', 'unknown not in the user list', noData));
		expect(people.join('\n')).not.toMatch(/Nobody|0 active/);
		await screen.press('7');
		const users = await screen.until(has('▸ 32 users', 'unknown active', 'unknown inactive'));
		expect(users.join('\n')).not.toContain('○ inactive');
		expect(users.find(line => line.includes('fresh@example.org'))).toMatch(/ unknown +- +- +- /);
		await screen.press('/', 'fresh@', '\r');
		await screen.until(has('/fresh@'));
		await screen.press('\r');
		await screen.until(has(noData));
		await screen.press('\x1b', 'f', 'f');
		await screen.until(has('▸ unknown inactive'));
	});
});
