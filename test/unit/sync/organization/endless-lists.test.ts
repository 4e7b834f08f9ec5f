import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test, vi} from 'vitest';
import {type Reply, startFaultServer} from '../../../support/fault-server.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {json} from '../../../support/replies.ts';

const program = join(import.meta.dirname, '../../../support/organization-program.ts');
/** What a process of this size has with nothing read is about 110 MB. */
const maxRss = 600;

// Hundreds of megabytes are made and read: on a busy machine that takes its time.
vi.setConfig({testTimeout: 240_000});

type Outcome = {count?: number; note?: string; problem?: {what: string}; rssMb: number};

/** Reads a part of an organization whose service answers so, in a process of its own. */
async function readFrom(reply: Reply, part: string): Promise<Outcome & {readonly requests: number}> {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(reply);
	const args = [program, server.url, part, join(temporaryFolder(), 'kept.db')];
	const {stdout} = await promisify(execFile)(process.execPath, args);
	const outcome = JSON.parse(stdout) as Outcome;
	const reported = `${part}: ${outcome.count} kept, ${server.requests.length} requests, ${outcome.rssMb} MB`;
	process.stderr.write(`${reported}\n`);
	return {...outcome, requests: server.requests.length};
}

const numbers = (from: number, count: number) => Array.from({length: count}, (_, index) => from + index);

/** A v0 list that never ends: page by page new items. */
const endless =
	(name: string, itemOf: (number: number) => object): Reply =>
	(response, request) => {
		const from = Number(request.query.cursor ?? 0);
		const items = numbers(from, 100).map(itemOf);
		json({[name]: items, pagination: {hasMore: true, nextCursor: String(from + 100)}})(response, request);
	};

test('reads the first hundred thousand of an endless list of users', async () => {
	const users = endless('users', number => ({id: `user-${number}`, email: `user-${number}@example.org`}));
	const {count, note, rssMb, requests} = await readFrom(users, 'users');
	expect({count, note, requests}).toEqual({
		count: 100_000,
		note: 'first 100,000 users shown; the service has more',
		requests: 1001,
	});
	expect(rssMb).toBeLessThan(maxRss);
});

test('reads as many users of the largest size as there is room for', async () => {
	const metadata = {about: 'x'.repeat(60_000)};
	const {count, note, rssMb} = await readFrom(
		endless('users', number => ({id: `user-${number}`, metadata})),
		'users',
	);
	expect(count).toBeGreaterThan(1000);
	expect(count).toBeLessThan(1120);
	expect(note).toMatch(/^first 1,\d+ users shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('ends an endless history of settings', async () => {
	const changes = endless('changes', revision => ({
		revision: 1_000_000 - revision,
		settings: {
			commandAllowlist: numbers(revision, 500).map(number => `command number ${number}`),
			sessionRetentionDays: revision,
		},
	}));
	const {count, note, rssMb} = await readFrom(changes, 'controls');
	expect(count).toBeGreaterThan(1000);
	expect(note).toMatch(/^first [\d,]+ revisions shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('ends an endless list of readiness reports', async () => {
	let number = 0;
	const reports: Reply = (response, request) => {
		const report = Object.fromEntries(
			numbers(0, 50).map(id => [
				`criterion-${id}`,
				{numerator: 1, denominator: 2, rationale: 'why '.repeat(50)},
			]),
		);
		const page = numbers(number, 50).map(id => ({
			reportId: `r-${id}`,
			createdAt: 1.7e12 - id,
			repoUrl: `https://example.org/${id % 9}`,
			report,
		}));
		number += 50;
		json({reports: page})(response, request);
	};
	const {note, rssMb, requests} = await readFrom(reports, 'readiness');
	expect(requests).toBeLessThan(100);
	expect(note).toMatch(/^first [\d,]+ readiness reports shown; the service has more$/);
	expect(rssMb).toBeLessThan(maxRss);
});

test('reads about twice as many rows of an endless list of users as the activity suggests', async () => {
	const reply: Reply = (response, request) => {
		if (!request.path.endsWith('/users')) {
			const data = ['2026-01-14', '2026-01-15', '2026-01-16'].map(date => ({date, daily_active_users: 100}));
			return json({data, meta: {}})(response, request);
		}
		const from = Number(request.query.cursor ?? 0);
		const data = numbers(from, 100).map(number => ({
			user_id: `user-${number}`,
			date: request.query.startDate,
			sessions: 1,
			languages: numbers(number, 120).map(language => `language-${language}`),
		}));
		return json({data, meta: {has_more: true, next_cursor: String(from + 100)}})(response, request);
	};
	const {count, note, rssMb} = await readFrom(reply, 'people');
	expect(count).toBe(10_600);
	expect(note).toBe('first 10,600 rows of users read; the service has more');
	expect(rssMb).toBeLessThan(maxRss);
});

test('lists the largest of too many users and tools per day, and says so', async () => {
	const reply: Reply = (response, request) => {
		const {startDate = '', endDate = ''} = request.query;
		const inside = ['2026-01-14', '2026-01-15', '2026-01-16'].filter(
			date => date >= startDate && date <= endDate,
		);
		const data = inside.map(date => ({
			date,
			billable_tokens: 1e9,
			by_user: request.path.endsWith('/tokens')
				? numbers(0, 60_000).map(number => ({user_id: `${date}-${number}`, billable_tokens: number}))
				: [],
			tool_calls: 1e9,
			by_tool: numbers(0, 20_000).map(number => ({tool: `tool-${number}`, invocations: number})),
		}));
		return json({data, meta: {}})(response, request);
	};
	const {note, problem, rssMb} = await readFrom(reply, 'usage');
	expect(problem).toBeUndefined();
	expect(note).toContain("by_user: only each day's largest entries are listed");
	expect(note).toContain("by_tool: only each day's largest entries are listed");
	expect(note).toContain('there are more names than can be listed');
	expect(rssMb).toBeLessThan(maxRss);
});

test('ends a list whose cursors go in circles, and one that repeats the same items forever', async () => {
	const page = (cursor: string): Reply =>
		json({users: [{id: `after-${cursor}`}], pagination: {hasMore: true, nextCursor: cursor}});
	const round: Reply = (response, request) =>
		page({a: 'b', b: 'c'}[request.query.cursor ?? ''] ?? 'a')(response, request);
	const loop = await readFrom(round, 'users');
	expect(loop).toMatchObject({
		count: 3,
		requests: 4,
		note: expect.stringContaining('gives no cursor to what may follow'),
	});
	let asked = 0;
	const same: Reply = (response, request) =>
		json({users: [{id: 'same'}], pagination: {hasMore: true, nextCursor: `${asked++}`}})(response, request);
	const stale = await readFrom(same, 'users');
	expect(stale).toMatchObject({
		count: 1,
		requests: 101,
		note: expect.stringContaining('gives no cursor to what may follow'),
	});
});

test('asks for a page that is too large in parts, and ends the list at an item that is too large', async () => {
	const large: Record<number, number> = {3: 7e6, 4: 7e6, 25: 9e6};
	const sizes = numbers(0, 30).map(index => large[index] ?? 1000);
	const reply: Reply = (response, request) => {
		const from = Number(request.query.cursor ?? 0);
		const users = sizes
			.slice(from, from + Number(request.query.limit))
			.map((size, index) => ({id: `u${from + index}`, metadata: {x: 'x'.repeat(size)}}));
		const next = from + users.length;
		const hasMore = next < sizes.length;
		json({users, pagination: {hasMore, nextCursor: hasMore ? String(next) : null}})(response, request);
	};
	const {count, note} = await readFrom(reply, 'users');
	expect(count).toBe(25);
	expect(note).toBe('one item is too large to read: everything after it is missing');
});
