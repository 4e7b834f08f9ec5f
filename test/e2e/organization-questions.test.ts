import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {callsOf, type Work} from '../../src/demo/organization.ts';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import {type FaultServer, type Reply, startFaultServer} from '../support/fault-server.ts';
import {artifactNames, createOrganization} from '../support/organization.ts';
import {organizationReply} from '../support/organization-server.ts';
import {homeIn, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';
import type {Terminal} from '../support/terminal.ts';

// Every question that the organization's views are for, asked of the built program in a pty with at most two keys from
// the view on, and answered by a figure that is reckoned here from what was really done.

const yesterday = addDays(utcDayOf(Date.now()), -1);
const busyDay = addDays(yesterday, -3);
const month = {from: addDays(yesterday, -27), to: yesterday};
const monthBefore = {from: addDays(yesterday, -55), to: addDays(yesterday, -28)};

const reports = [
	['acme/ready', 4, 4],
	['acme/half', 2, 4],
	['acme/bare', 0, 4],
].map(([name, numerator, denominator], index) => ({
	reportId: `r-${index}`,
	createdAt: Date.now() - index * 3_600_000,
	repoUrl: `https://host.example/${name}.git`,
	report: {tests: {numerator, denominator}, docs: {numerator: denominator, denominator}},
}));
const changes = [
	{
		revision: 7,
		updatedAt: `${yesterday}T08:00:00Z`,
		user: {id: 'u1', email: 'boss@example.org'},
		settings: {commandDenylist: ['rm', 'dd'], telemetry: false},
	},
	{
		revision: 6,
		updatedAt: `${month.from}T08:00:00Z`,
		user: {id: 'u2', email: 'aide@example.org'},
		settings: {commandDenylist: ['dd', 'rm'], telemetry: true},
	},
];

describe.each([{users: 500, idle: 0.8, unattributed: 0.1}])('$users users', ({users, idle, unattributed}) => {
	let server: FaultServer;
	let screen: Terminal;
	let home: string;
	const organization = createOrganization({
		users,
		idle,
		unattributed,
		range: {startDate: addDays(yesterday, -89), endDate: yesterday},
		seed: 21,
		missing: 0.1,
		busy: {date: busyDay, factor: 30},
	});
	const workIn = ({from, to}: typeof month) =>
		organization.work.filter(({date}) => date >= from && date <= to && !organization.missing.has(date));
	const work = workIn(month);
	const days = Array.from({length: 28}, (_, index) => addDays(month.from, index));
	const knownDays = days.filter(date => !organization.missing.has(date));

	beforeAll(async () => {
		server = await startFaultServer();
		const usage = organizationReply(organization);
		const everything: Reply = (response, request) => {
			if (request.path.includes('maturity-level-reports'))
				return json({reports: request.query.startAfter === undefined ? reports : []})(response, request);
			if (request.path.includes('enterprise-controls'))
				return json({changes, pagination: {hasMore: false, nextCursor: null}})(response, request);
			return usage(response, request);
		};
		server.otherwise(everything);
		home = mkdtempSync(join(tmpdir(), 'test-'));
		const env = {...homeIn(home), QUARTERDECK_BASE_URL: server.url, QUARTERDECK_APP_URL: server.url};
		screen = openProgram(
			['--view', 'usage'],
			{...env, QUARTERDECK_API_KEY: 'k-0123456789'},
			{columns: 120, rows: 40},
		);
		await screen.see(/read \d+s ago/, {within: 120_000});
	}, 180_000);

	afterAll(async () => {
		screen.press('q');
		await screen.exit();
		await server.close();
		rmSync(home, {recursive: true, force: true});
	});

	/** The view, and at most two keys more. */
	async function ask(view: '4' | '5' | '6' | '7', ...keys: readonly [string?, string?]): Promise<void> {
		screen.press(view);
		for (const key of keys) if (key !== undefined) screen.press(key);
	}

	const see = (what: string | RegExp, within = 10_000) => screen.see(what, {within});
	const credits = (list: readonly Work[]) => sum(list, one => one.credits);

	test('what did we use, and is it rising', async () => {
		await ask('4', 'c');
		await see(`${exact(credits(work))} credits`);
		await see(`┄ ${28 - knownDays.length} of 28 days unknown`);
		const past = workIn(monthBefore);
		const pastDays = new Set(organization.tokens().map(({date}) => date));
		const known = Array.from({length: 28}, (_, index) => addDays(monthBefore.from, index)).filter(date =>
			pastDays.has(date),
		);
		const change = credits(work) / knownDays.length / (credits(past) / known.length) - 1;
		await see(/[▲▼] [+-][\d.]+ % vs previous 28 days/);
		const reported = Number(/[▲▼] ([+-][\d.]+) % vs/.exec(screen.screen())?.[1]);
		expect(Math.abs(reported - change * 100)).toBeLessThanOrEqual(0.5);
	});

	test('which models, who, and what is unattributed', async () => {
		await ask('4', 'c');
		const named = organization.tokens().filter(({date}) => date >= month.from);
		const models = counts(
			named.flatMap(({by_model = []}) => by_model.map(one => [one.model_id, one.billable_tokens])),
		);
		for (const [model, value] of models) await see(row(model, exact(value)));
		const emails = new Map(organization.users.map(({id, email}) => [id, email ?? id]));
		const spent = counts(
			named.flatMap(({by_user = []}) => by_user.map(one => [one.user_id, one.billable_tokens])),
		);
		const [most] = [...spent].sort(([, a], [, b]) => b - a);
		// A long name gives way to its figures.
		await see(row((emails.get(most?.[0] ?? '') ?? '').slice(0, 14), exact(most?.[1] ?? 0)));
		await see(`${exact(credits(work) - [...models.values()].reduce((a, b) => a + b, 0))} unattributed`);
	});

	test('is it adopted; when do people work; which clients', async () => {
		await ask('4', 'a');
		const active = (date: string) =>
			new Set(work.filter(one => one.date === date).map(({user}) => user)).size;
		const daily = new Map(knownDays.map(date => [date, active(date)]));
		await see(`${tenth(mean([...daily.values()]))} daily active users (mean)`);
		for (const [index, name] of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].entries()) {
			const own = knownDays.filter(date => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7 === index);
			if (own.length > 0) await see(row(name, exact(mean(own.map(date => daily.get(date) ?? 0)))));
		}
		for (const client of ['terminal-ui', 'web', 'non-interactive-cli']) {
			const users = knownDays.map(
				date =>
					new Set(work.filter(one => one.date === date && one.client === client).map(({user}) => user)).size,
			);
			await see(row(client, exact(mean(users))));
		}
	});

	test('how much is delegated', async () => {
		await ask('4', 'u');
		await see(`${exact(sum(work, callsOf) / sum(work, one => one.turns))} tool calls per user turn`);
	});

	test('what comes out; are we efficient', async () => {
		await ask('4', 'o');
		await see(`${exact(sum(work, one => one.created))} files created`);
		await see(`${exact(sum(work, one => one.edited))} edited`);
		await see(`${exact(sum(work, one => one.commits))} commits`);
		for (const [name, below] of [
			['credits per session', sum(work, one => one.sessions)],
			['credits per user ', sum(work, one => one.turns)],
			['credits per commit', sum(work, one => one.commits)],
		] as const)
			await see(row(name, exact(credits(work) / below)));
	});

	test('which tools, with unrecognized ones grouped and two spellings of a server merged', async () => {
		await ask('4', 't');
		await see(`${exact(sum(work, callsOf))} tool calls`);
		const calls = counts(work.flatMap(one => Object.entries(one.tools)));
		for (const [tool, count] of calls) if (!artifactNames.has(tool)) await see(row(tool, exact(count)));
		const scraps = [...calls].reduce((all, [tool, count]) => all + (artifactNames.has(tool) ? count : 0), 0);
		await see(row('unrecognized', exact(scraps)));
		const servers = counts(
			work.flatMap(one => Object.entries(one.servers)).map(([name, count]) => [name.toLowerCase(), count]),
		);
		for (const [name, count] of servers) await see(row(name, exact(count), 'i'));
		await see(/≈ merged: /);
	});

	test('what is unusual', async () => {
		await ask('4', 'c');
		const total = (date: string) => credits(organization.work.filter(one => one.date === date));
		await see(new RegExp(`▲ ${busyDay}.* unusual vs the same weekday in earlier weeks`));
		const others = knownDays.filter(date => date !== busyDay).map(total);
		expect(total(busyDay)).toBeGreaterThan(5 * Math.max(...others));
	});

	test('who is inactive', async () => {
		await ask('4', 'p');
		await see(/▸ [\d,]+ active/, 120_000);
		const active = new Set(work.map(({user}) => user));
		await see(`${exact(active.size)} active`);
		await see(/[\d,]+ inactive/, 60_000);
		await ask('4', 'f');
		await see(`▸ ${exact(users - active.size)} inactive`);
		const [longest] = organization.users
			.filter((_, user) => !active.has(user))
			.sort((a, b) => (`${a.lastSignInAt}` < `${b.lastSignInAt}` ? -1 : 1));
		if (longest)
			await see(
				new RegExp(`${literal(longest.email ?? longest.id)} .*${longest.lastSignInAt?.slice(0, 10)}`),
			);
		else await see('Everyone was active');
		screen.press('f', 'f', 'f');
		await see(/▸ [\d,]+ active/);
	});

	test('who belongs to the organization, and what each did', async () => {
		await ask('7');
		await see(`▸ ${exact(users)} users`, 60_000);
		const active = new Set(work.map(({user}) => user));
		await see(`${exact(users - active.size)} inactive`, 120_000);
		await ask('7', 's', 's');
		await see('CREDITS▼');
		const spent = counts(work.map(({user, credits: own}) => [String(user), own]));
		const [most] = [...spent].sort(([, a], [, b]) => b - a);
		const user = organization.users[Number(most?.[0])];
		await see(
			new RegExp(
				`▌${literal(user?.email ?? `${user?.id} (no email)`)} .* ${literal(exact(most?.[1] ?? 0))} `,
			),
		);
		expect(screen.screen()).toContain('(no email)');
	});

	test('which repositories are least ready', async () => {
		await ask('5');
		await see('3 repositories');
		const at = (name: string) =>
			screen
				.screen()
				.split('\n')
				.findIndex(line => line.includes(name));
		expect(at('acme/bare')).toBeGreaterThan(0);
		expect(at('acme/bare')).toBeLessThan(at('acme/half'));
		expect(at('acme/half')).toBeLessThan(at('acme/ready'));
	});

	test('what changed in our controls, and who changed it', async () => {
		await ask('6');
		await see(/7 +\d{4}-\d\d-\d\d \d\d:\d\d +boss@example\.org +telemetry /);
		await ask('6', 'enter');
		await see(/telemetry +changed/);
		await see('1 change');
		screen.press('esc');
		await see('2 revisions');
	});
});

function sum(list: readonly Work[], pick: (one: Work) => number): number {
	return list.reduce((all, one) => all + pick(one), 0);
}

function mean(values: readonly number[]): number {
	return values.reduce((a, b) => a + b, 0) / values.length;
}

function counts(pairs: readonly (readonly [string | undefined, number | undefined])[]): Map<string, number> {
	const all = new Map<string, number>();
	for (const [name = '', count = 0] of pairs) all.set(name, (all.get(name) ?? 0) + count);
	return all;
}

/** Thousands apart, at most two decimals. */
function exact(value: number): string {
	return new Intl.NumberFormat('en', {maximumFractionDigits: 2}).format(value);
}

function tenth(value: number): string {
	return exact(Math.round(value * 10) / 10);
}

/** A name, a bar or spaces, and its value. */
function row(name: string, value: string, flags = ''): RegExp {
	return new RegExp(`${literal(name)}[^\\d\\n]* ${literal(value)}(?![\\d.,])`, flags);
}

function literal(text: string): string {
	return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
