import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createHttpService} from '../../../../src/api/http/http-client.ts';
import {Secret} from '../../../../src/config/secret.ts';
import type {Database} from '../../../../src/db/database.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Organization} from '../../../../src/demo/organization.ts';
import {addDays} from '../../../../src/domain/time.ts';
import {creditsOf} from '../../../../src/domain/usage/credits.ts';
import {readAnalytics, type UsageProgress} from '../../../../src/sync/organization/read-analytics.ts';
import {type FakeClock, fakeClock} from '../../../support/fake-clock.ts';
import {type FaultServer, startFaultServer} from '../../../support/fault-server.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {createOrganization} from '../../../support/organization.ts';
import {type OrganizationAnswers, organizationReply} from '../../../support/organization-server.ts';
import {json} from '../../../support/replies.ts';

const today = '2026-03-20';
const lastDay = '2026-03-19';
const range = {startDate: '2026-03-01', endDate: lastDay};
const noon = Date.parse(`${today}T12:00:00Z`);

type RestOfRead = Parameters<typeof readAnalytics> extends [unknown, ...infer Rest] ? Rest : never;

type Parts = {
	readonly organization: Organization;
	readonly server: FaultServer;
	readonly database: Database;
	readonly read: (...args: RestOfRead) => ReturnType<typeof readAnalytics>;
	readonly clock: FakeClock;
	readonly asked: () => string[];
};

async function setUp({users = 12, ...answers}: {users?: number} & OrganizationAnswers = {}): Promise<Parts> {
	const organization = createOrganization({users, range, seed: 3, missing: 0.2, unattributed: 0.1});
	const server = await startFaultServer();
	const clock = fakeClock(noon);
	const service = createHttpService({
		address: {baseUrl: server.url, appUrl: server.url, key: new Secret('k-1')},
		clock,
		retries: 0,
	});
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(async () => {
		database.close();
		await service.close();
		await server.close();
	});
	server.otherwise(organizationReply(organization, {now: clock.now, ...answers}));
	return {
		organization,
		server,
		database,
		clock,
		read: (...args) => readAnalytics({service, analytics: database.analytics, clock}, ...args),
		asked: () => server.requests.map(({query}) => `${query.startDate} ${query.endDate}`),
	};
}

test('rows come back from disk as the service sent them', async () => {
	const {read, organization, database} = await setUp();
	for (const family of ['tokens', 'tools', 'activity', 'productivity'] as const) {
		expect(await read(family, range)).toEqual({calls: 1, skipped: 0, end: 'end', notes: []});
		expect([...database.analytics.rows(family, range)]).toEqual(organization[family]());
	}
	const credits = creditsOf(database.analytics.rows('tokens', range), range);
	expect(credits).toEqual(creditsOf(organization.tokens(), range));
});

test('asks once for days older than three, even for those without a row', async () => {
	const {read, asked} = await setUp();
	await read('tokens', range);
	await read('tokens', range);
	expect(asked()).toEqual([`2026-03-01 ${lastDay}`, `2026-03-17 ${lastDay}`]);
	// All days are kept: one is asked for, to learn whether they may still be seen.
	expect(await read('tokens', {startDate: '2026-03-01', endDate: '2026-03-16'})).toMatchObject({
		calls: 1,
	});
	expect(asked().at(-1)).toBe('2026-03-16 2026-03-16');
	await read('tokens', {startDate: '2026-02-20', endDate: '2026-03-10'});
	expect(asked().at(-1)).toBe('2026-02-20 2026-02-28');
	await read('tools', {startDate: '2026-03-05', endDate: '2026-03-05'});
	expect(asked().at(-1)).toBe('2026-03-05 2026-03-05');
});

test('rereads a day that may still change', async () => {
	const {read, server, database} = await setUp();
	const credits = (value: number) =>
		json({data: [{date: lastDay, billable_tokens: value}], meta: {org_id: 'o'}}, 200, {
			date: new Date(noon).toUTCString(),
		});
	server.answer(credits(1), credits(2));
	const day = {startDate: lastDay, endDate: lastDay};
	await read('tokens', day);
	await read('tokens', day);
	expect([...database.analytics.rows('tokens', day)]).toEqual([{date: lastDay, billable_tokens: 2}]);
	expect(database.analytics.readAt('tokens', day)).toBe(noon);
	expect(database.analytics.readAt('tokens', range)).toBeUndefined();
});

test('reads users page by page, stores each once per day, and reports progress', async () => {
	const {read, organization, database, server} = await setUp({users: 60});
	const reported: UsageProgress[] = [];
	const reading = await read('users', range, {onProgress: progress => reported.push(progress)});
	const rows = [...organization.userRows()];
	expect(rows.length).toBeGreaterThan(200);
	expect(reading).toEqual({calls: server.requests.length, skipped: 0, end: 'end', notes: []});
	expect(server.requests.every(({query}) => query.limit === '100')).toBe(true);
	expect(reported.at(-1)).toEqual({family: 'users', unit: 'rows', done: rows.length});
	const order = (a: {date?: string; user_id: string}, b: {date?: string; user_id: string}) =>
		`${a.date} ${a.user_id}` < `${b.date} ${b.user_id}` ? -1 : 1;
	expect([...database.analytics.users(range)]).toEqual(rows.toSorted(order));
	const before = server.requests.length;
	await read('users', range);
	expect(server.requests[before]?.query.startDate).toBe('2026-03-17');
	expect([...database.analytics.users(range)]).toEqual(rows.toSorted(order));
});

test("doesn't ask again for what a canceled walk had finished", async () => {
	const {read, organization, database, server} = await setUp({users: 2600});
	await read('activity', range);
	const abort = new AbortController();
	const reply = organizationReply(organization, {now: () => noon});
	let first: string | undefined;
	server.otherwise((response, request) => {
		first ??= request.query.startDate;
		if (request.query.startDate !== first) abort.abort();
		return reply(response, request);
	});
	await expect(read('users', range, {signal: abort.signal})).rejects.toMatchObject({
		name: 'AbortError',
	});
	const kept = [...database.analytics.users(range)];
	expect(kept.length).toBeGreaterThan(10_000);
	const before = server.requests.length;
	await read('users', range);
	expect(server.requests.slice(before).map(({query}) => query.startDate)).not.toContain(first);
	expect([...database.analytics.users(range)]).toHaveLength([...organization.userRows()].length);
});

test('a walk in circles ends, says so, and is repeated the next time', async () => {
	const {read, server, database} = await setUp();
	const row = {user_id: 'u1', date: '2026-03-01', sessions: 1};
	server.otherwise(json({data: [row, row, {date: 'x'}], meta: {has_more: true, next_cursor: 'u1'}}));
	const day = {startDate: '2026-03-01', endDate: '2026-03-01'};
	expect(await read('users', day)).toMatchObject({calls: 2, skipped: 2, end: 'repeated-cursor'});
	expect([...database.analytics.users(day)]).toEqual([row]);
	expect(await read('users', day)).toMatchObject({calls: 2});
});

test('a failed walk shows nothing of its days, and starts over', async () => {
	const {read, server, database, organization} = await setUp({users: 60});
	const reply = organizationReply(organization, {now: () => noon});
	server.answer(reply, json({title: 'broken'}, 500));
	await expect(read('users', range)).rejects.toMatchObject({name: 'ServerError'});
	expect([...database.analytics.users(range)]).toEqual([]);
	await read('users', range);
	expect([...database.analytics.users(range)]).toHaveLength([...organization.userRows()].length);
});

test('asks for an answer that is too large in parts', async () => {
	const {read, server, organization, database, asked} = await setUp();
	const huge = json({data: [{date: '2026-03-01', padding: 'x'.repeat(9 * 1024 * 1024)}], meta: {}});
	server.answer(huge, huge);
	expect(await read('tokens', range)).toMatchObject({calls: 6});
	expect([...database.analytics.rows('tokens', range)]).toEqual(organization.tokens());
	const days = asked().map(
		text => (Date.parse(text.slice(11)) - Date.parse(text.slice(0, 10))) / 86_400_000 + 1,
	);
	expect(days).toEqual([19, 10, 5, 5, 5, 4]);
});

test("drops rows for days that weren't asked for, or for no day", async () => {
	const {read, server, database} = await setUp();
	const rows = ['2026-02-01', '2026-02-30', 'yesterday', '2026-03-02'].map(date => ({date, tool_calls: 1}));
	server.answer(json({data: rows, meta: {}}));
	expect(await read('tools', range)).toMatchObject({skipped: 3});
	const all = {startDate: '2026-01-14', endDate: lastDay};
	expect([...database.analytics.rows('tools', all)].map(({date}) => date)).toEqual(['2026-03-02']);
});

test('a service that counts yesterday as today leaves that day open', async () => {
	const {read, clock, database, organization} = await setUp({
		now: () => Date.parse(`${lastDay}T23:59:00Z`),
	});
	await read('activity', range);
	const reported = organization.activity().filter(({date}) => date < lastDay);
	expect([...database.analytics.rows('activity', range)]).toEqual(reported);
	expect(database.analytics.finalDays('activity', range).has(addDays(lastDay, -3))).toBe(false);
	expect(clock.now()).toBe(noon);
});

test("another organization's data replaces what was kept", async () => {
	const {read, server, database, organization} = await setUp();
	await read('tokens', range);
	await read('users', range);
	const other = createOrganization({users: 2, range, seed: 9});
	server.otherwise(organizationReply(other, {organizationId: 'org-2', now: () => noon}));
	await read('tokens', range);
	expect([...database.analytics.rows('tokens', range)]).toEqual(other.tokens());
	expect([...database.analytics.users(range)]).toEqual([]);
	expect(organization.tokens()).not.toEqual(other.tokens());
});
