import {expect, test} from 'vitest';
import {body, json} from '../../support/replies.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const range = {startDate: '2026-02-01', endDate: '2026-02-02'};

test('a computer keeps unknown fields and drops those of the wrong type', async () => {
	harness.server.answer(
		json({
			id: 'c1',
			name: 7,
			status: 'hibernating',
			createdAt: 1_790_000_000,
			hostname: null,
			region: {code: 'eu'},
			provisioningSteps: [
				{id: 's1', status: 'In Progress', startedAt: '2026-02-01T10:00:00Z', completedAt: 0, log: 'x'},
				'no step',
				null,
				{error: ['no text'], installSessionId: 'i1'},
			],
		}),
	);
	expect(await harness.service.computers.get('c1')).toStrictEqual({
		id: 'c1',
		status: 'hibernating',
		createdAt: 1_790_000_000_000,
		region: {code: 'eu'},
		provisioningSteps: [
			{id: 's1', status: 'In Progress', startedAt: Date.UTC(2026, 1, 1, 10), log: 'x'},
			{installSessionId: 'i1'},
		],
	});
});

test('treats a number that is out of range as absent', async () => {
	harness.server.answer(
		body('{"id":"c1","createdAt":1e999}'),
		body('{"sessionId":"s1","messageCount":1e999}'),
	);
	expect(await harness.service.computers.get('c1')).not.toHaveProperty('createdAt');
	expect(await harness.service.sessions.update('s1', {})).not.toHaveProperty('messageCount');
});

test("treats steps that aren't a list as absent", async () => {
	harness.server.answer(json({id: 'c1', provisioningSteps: {}}), json({id: 'c1', provisioningSteps: []}));
	expect(await harness.service.computers.get('c1')).toStrictEqual({
		id: 'c1',
	});
	expect(await harness.service.computers.get('c1')).toStrictEqual({id: 'c1', provisioningSteps: []});
});

test('reads a session with its settings', async () => {
	harness.server.answer(
		json({
			sessionId: 's1',
			status: 'running',
			messageCount: '3',
			updatedAt: 1_790_000_000_123,
			sessionSettings: {
				model: 'm',
				tags: [{name: 't', metadata: {a: 1}}, {metadata: {}}, 't'],
				enabledToolIds: ['a', 4],
				tokenUsage: {inputTokens: 5, outputTokens: 'x', more: 1},
				childInclusiveTokenUsageBySessionId: {s2: {inputTokens: 1}},
				color: 'red',
			},
		}),
	);
	expect(await harness.service.sessions.update('s1', {})).toStrictEqual({
		sessionId: 's1',
		status: 'running',
		updatedAt: 1_790_000_000_123,
		sessionSettings: {
			model: 'm',
			tags: [{name: 't', metadata: {a: 1}}],
			enabledToolIds: ['a'],
			tokenUsage: {inputTokens: 5, more: 1},
			childInclusiveTokenUsageBySessionId: {s2: {inputTokens: 1}},
			color: 'red',
		},
	});
});

test('reads messages item by item, whatever their kind', async () => {
	harness.server.answer(
		json({
			messages: [
				{
					id: 'm1',
					content: [{text: 'a', id: 'i1'}, 'bare', 4, {type: 'tool_use', input: {x: [1]}}],
					createdAt: 1,
				},
				{id: '', content: []},
				{content: [{text: 'no id'}]},
				'no message',
				null,
				{id: 'm2', content: 'plain', role: 'user', isError: 'yes', seq: 3},
				{id: 'm3', content: {}},
			],
			pagination: {hasMore: true, nextCursor: 'n'},
		}),
	);
	expect(await harness.service.messages.list('s1')).toStrictEqual({
		items: [
			{
				id: 'm1',
				content: [{text: 'a', id: 'i1'}, {text: 'bare'}, {type: 'tool_use', input: {x: [1]}}],
			},
			{id: 'm2', content: [{text: 'plain'}], role: 'user', seq: 3},
			{id: 'm3'},
		],
		skipped: 4,
		hasMore: true,
		nextCursor: 'n',
	});
});

test.each([
	['at the end', {hasMore: false, nextCursor: 'x'}, {hasMore: false}],
	['null', {hasMore: true, nextCursor: null}, {hasMore: true}],
	['empty', {hasMore: true, nextCursor: ''}, {hasMore: true}],
	['without hasMore', {nextCursor: 'x'}, {hasMore: true, nextCursor: 'x'}],
	['a word for hasMore', {hasMore: 'no'}, {hasMore: false}],
	['no object', 'x', {hasMore: false}],
	['missing', undefined, {hasMore: false}],
])('reads the pagination leniently: %s', async (_how, pagination, read) => {
	harness.server.answer(json({users: [], pagination}));
	expect(await harness.service.users.list()).toStrictEqual({items: [], skipped: 0, ...read});
});

test('without pagination, a full page may not be the last one', async () => {
	const answer = async (count: number, query: {limit?: number}, more: object = {}) => {
		const users = Array.from({length: count}, (_, index) => ({id: `u${index}`}));
		harness.server.answer(json({users, ...more}));
		return (await harness.service.users.list(query)).hasMore;
	};
	expect(await answer(2, {limit: 2})).toBe(true);
	expect(await answer(1, {limit: 2})).toBe(false);
	expect(await answer(20, {})).toBe(true);
	expect(await answer(19, {})).toBe(false);
	expect(await answer(2, {limit: 2}, {pagination: {hasMore: false}})).toBe(false);
});

test('an envelope without its list is malformed', async () => {
	for (const answer of [{}, {users: null}, {users: {}}, [], null, 'x', 4]) {
		harness.server.answer(json(answer));
		expect(await errorOf(harness.service.users.list())).toMatchObject({
			name: 'MalformedError',
			reason: 'shape',
		});
	}
});

test('the response to a post keeps its id, whatever else it says', async () => {
	harness.server.answer(json({messageId: 'm1', status: 4, queue: 2}));
	expect(await harness.service.messages.add('s1', {text: 'x'})).toStrictEqual({
		messageId: 'm1',
		queue: 2,
	});
});

test('control changes keep their settings tree, and users their dates', async () => {
	harness.server.answer(
		json({
			changes: [
				{revision: 3, settings: {mcpPolicy: {enabled: true}}, user: 'x', updatedAt: 'd'},
				{revision: '4'},
			],
		}),
		json({users: [{id: 'u1', createdAt: '2026-01-01', lastSignInAt: 4, metadata: {a: null}}]}),
	);
	expect(await harness.service.controls.history()).toStrictEqual({
		items: [
			{
				revision: 3,
				settings: {mcpPolicy: {enabled: true}},
				updatedAt: 'd',
			},
		],
		skipped: 1,
		hasMore: false,
	});
	expect((await harness.service.users.list()).items).toStrictEqual([
		{id: 'u1', createdAt: '2026-01-01', metadata: {a: null}},
	]);
});

test('reads reports with their criteria', async () => {
	harness.server.answer(
		json({
			reports: [
				{
					reportId: 'r1',
					createdAt: 1_790_000_000_000,
					apps: {'.': {description: 'x'}, bad: 3},
					report: {lint: {numerator: 3, denominator: null, rationale: 'why'}, bad: 'x'},
					modelUsed: {id: 'm', reasoningEffort: 'extreme'},
				},
				{createdAt: 1},
			],
		}),
	);
	expect(await harness.service.readiness.list()).toStrictEqual({
		items: [
			{
				reportId: 'r1',
				createdAt: 1_790_000_000_000,
				apps: {'.': {description: 'x'}},
				report: {lint: {numerator: 3, rationale: 'why'}},
				modelUsed: {id: 'm', reasoningEffort: 'extreme'},
			},
		],
		skipped: 1,
	});
});

test('analytics rows keep what is known about a day', async () => {
	harness.server.answer(
		json({
			data: [
				{
					date: '2026-02-01',
					billable_tokens: 4,
					by_user: [{user_id: 'u', user_email: null}, 3],
					by_model: 'x',
				},
				{billable_tokens: 1},
			],
			meta: {org_id: 'o', end_date: 4, extra: true},
		}),
	);
	expect(await harness.service.analytics.tokens(range)).toStrictEqual({
		rows: [
			{
				date: '2026-02-01',
				billable_tokens: 4,
				by_user: [{user_id: 'u'}],
			},
		],
		meta: {org_id: 'o', extra: true},
		hasMore: false,
		skipped: 1,
	});
	harness.server.answer(
		json({data: [{date: '2026-02-01', daily_active_users_by_client: {web: 2, other: 'x', __proto__: null}}]}),
	);
	expect((await harness.service.analytics.activity(range)).rows).toStrictEqual([
		{
			date: '2026-02-01',
			daily_active_users_by_client: {web: 2},
		},
	]);
});

test.each([
	['plain', '{"id":"c1","__proto__":{"status":"active"},"free":{"__proto__":{"a":1},"b":2}}'],
	[
		'escaped',
		'{"id":"c1","\\u005f_proto_\\u005f":{"status":"active"},"free":{"__pr\\u006fto__":{"a":1},"b":2}}',
	],
])('no response can set the prototype of its objects: %s', async (_how, text) => {
	harness.server.answer(body(text));
	const computer = await harness.service.computers.get('c1');
	expect(computer).toStrictEqual({id: 'c1', free: {b: 2}});
	expect(computer.status).toBeUndefined();
	expect(({} as {status?: unknown}).status).toBeUndefined();
});
