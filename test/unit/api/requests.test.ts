import {expect, test} from 'vitest';
import type {Service} from '../../../src/api/service.ts';
import type {SeenRequest} from '../../support/fault-server.ts';
import {json} from '../../support/replies.ts';
import {canary, setUpHarness} from './harness.ts';

const harness = setUpHarness();

const computer = {id: 'c1', name: 'gpu', providerType: 'byom', createdAt: 1_790_000_000_000};
const session = {sessionId: 's1', status: 'idle', messageCount: 0, createdAt: 1, updatedAt: 1};
const pagination = {hasMore: false, nextCursor: ''};
const range = {startDate: '2026-02-01', endDate: '2026-02-03'};
const uuid = '0b7c9f0e-2f4e-4b7a-9d55-0c6f4a6d1e2f';

const wholeComputer = {
	name: '😀'.repeat(63),
	remoteUser: 'm'.repeat(63),
	provider: 'e2b' as const,
	hostId: uuid,
	repos: Array.from({length: 20}, (_, i) => `https://host.example/r${i}.git`),
	autoInstallDeps: false,
};
const wholeMessage = {
	text: 'hé\n"\u2028',
	images: [{data: 'aGk='}],
	files: [{name: 'a.txt', data: 'aGk=', parsedData: 'hi', path: '/a.txt'}],
	computerId: 'c1',
};

type Row = [
	name: string,
	call: (service: Service) => Promise<unknown>,
	answer: unknown,
	request: Pick<SeenRequest, 'method' | 'path'> & Partial<SeenRequest>,
	status?: number,
];

const rows: Row[] = [
	[
		'computers.create, least',
		s => s.computers.create({name: 'gpu', remoteUser: 'me'}),
		computer,
		{method: 'POST', path: '/api/v0/computers', body: {name: 'gpu', remoteUser: 'me'}},
		201,
	],
	[
		'computers.create, whole',
		s => s.computers.create(wholeComputer),
		computer,
		{method: 'POST', path: '/api/v0/computers', body: wholeComputer},
		201,
	],
	[
		'computers.get',
		s => s.computers.get('c/1 ü'),
		computer,
		{method: 'GET', path: '/api/v0/computers/c%2F1%20%C3%BC'},
	],
	[
		'computers.update',
		s => s.computers.update('c1', {name: 'new', hostId: uuid, remoteUser: 'you'}),
		computer,
		{
			method: 'PATCH',
			path: '/api/v0/computers/c1',
			body: {name: 'new', hostId: uuid, remoteUser: 'you'},
		},
	],
	[
		'computers.installDeps',
		s => s.computers.installDeps('c1'),
		computer,
		{method: 'POST', path: '/api/v0/computers/c1/install-deps'},
		202,
	],
	[
		'sessions.create',
		s =>
			s.sessions.create({
				computerId: 'c1',
				cwd: '/srv/app',
				sessionSettings: {model: 'm', tags: [{name: 't'}]},
			}),
		session,
		{
			method: 'POST',
			path: '/api/v0/sessions',
			body: {computerId: 'c1', cwd: '/srv/app', sessionSettings: {model: 'm', tags: [{name: 't'}]}},
		},
		201,
	],
	[
		'sessions.update, nothing',
		s => s.sessions.update('s1', {}),
		session,
		{method: 'PATCH', path: '/api/v0/sessions/s1', body: {}},
	],
	[
		'sessions.update',
		s => s.sessions.update('s1', {sessionSettings: {archivedAt: '2026-02-01T00:00:00Z'}}),
		session,
		{
			method: 'PATCH',
			path: '/api/v0/sessions/s1',
			body: {sessionSettings: {archivedAt: '2026-02-01T00:00:00Z'}},
		},
	],
	[
		'messages.list, plain',
		s => s.messages.list('s1'),
		{messages: [], pagination},
		{method: 'GET', path: '/api/v0/sessions/s1/messages'},
	],
	[
		'messages.list, whole',
		s => s.messages.list('s1', {limit: 100, cursor: 'a b&c', computerId: 'c1', role: 'tool'}),
		{messages: [], pagination},
		{
			method: 'GET',
			path: '/api/v0/sessions/s1/messages',
			query: {limit: '100', cursor: 'a b&c', computerId: 'c1', role: 'tool'},
		},
	],
	[
		'messages.add',
		s => s.messages.add('s1', wholeMessage),
		{messageId: 'm1', status: 'pending'},
		{method: 'POST', path: '/api/v0/sessions/s1/messages', body: wholeMessage},
	],
	[
		'users.list',
		s => s.users.list({limit: 1}),
		{users: [], pagination},
		{method: 'GET', path: '/api/v0/organization/users', query: {limit: '1'}},
	],
	[
		'controls.history',
		s => s.controls.history({cursor: 'x'}),
		{changes: [], pagination},
		{method: 'GET', path: '/api/v0/organization/enterprise-controls/history', query: {cursor: 'x'}},
	],
	[
		'readiness.list',
		s => s.readiness.list({repoId: 'r', limit: 1000, startAfter: 'x'}),
		{reports: []},
		{
			method: 'GET',
			path: '/api/organization/maturity-level-reports',
			query: {repoId: 'r', limit: '1000', startAfter: 'x'},
		},
	],
	...(
		[
			['tokens', 'model'],
			['tools', 'tool_name'],
			['activity', 'client'],
		] as const
	).map(
		([name, groupBy]): Row => [
			`analytics.${name}`,
			s => s.analytics[name]({...range, groupBy: groupBy as never}),
			{data: [], meta: {}},
			{method: 'GET', path: `/api/v1/analytics/${name}`, query: {...range, group_by: groupBy}},
		],
	),
	[
		'analytics.productivity',
		s => s.analytics.productivity(range),
		{data: [], meta: {}},
		{method: 'GET', path: '/api/v1/analytics/productivity', query: range},
	],
	[
		'analytics.users',
		s => s.analytics.users({...range, limit: 100, cursor: 'u9'}),
		{data: [], meta: {has_more: false}},
		{method: 'GET', path: '/api/v1/analytics/users', query: {...range, limit: '100', cursor: 'u9'}},
	],
];

const headers = {
	accept: 'application/json',
	'accept-encoding': 'gzip, br',
	authorization: `Bearer ${canary}`,
	'user-agent': 'quarterdeck',
};

test.each(rows)(
	'%s sends exactly what the contract says',
	async (_name, call, answer, expected, status = 200) => {
		harness.server.answer(json(answer, status));
		await call(harness.service);
		expect(harness.server.requests).toHaveLength(1);
		const {text, ...seen} = harness.server.requests[0] as SeenRequest;
		expect(seen).toEqual({
			query: {},
			body: undefined,
			headers: expected.body === undefined ? headers : {...headers, 'content-type': 'application/json'},
			...expected,
		});
		expect(text === '').toBe(expected.body === undefined);
	},
);

test('puts the path of the address before the path of the contract', async () => {
	const {createHttpService} = await import('../../../src/api/http/http-client.ts');
	const {Secret} = await import('../../../src/config/secret.ts');
	const {server} = harness;
	server.otherwise(json({...computer, reports: []}));
	const address = {baseUrl: `${server.url}/one`, appUrl: `${server.url}/two/`, key: new Secret('k')};
	const service = createHttpService({address});
	await service.computers.get('c1');
	await service.readiness.list();
	await service.close();
	expect(server.requests.map(request => request.path)).toEqual([
		'/one/api/v0/computers/c1',
		'/two/api/organization/maturity-level-reports',
	]);
});

test("reports every answer with its latency and the service's clock", async () => {
	harness.server.answer(json(computer, 200, {date: new Date(Date.now() + 3_600_000).toUTCString()}));
	await harness.service.computers.get('secret-id');
	const [facts] = harness.facts;
	expect(facts).toMatchObject({resource: 'computers.get', ok: true, status: 200});
	expect(facts?.latency).toBeGreaterThanOrEqual(0);
	expect(Math.abs((facts?.skewMs ?? 0) - 3_600_000)).toBeLessThan(60_000);
	expect(JSON.stringify(facts)).not.toContain('secret-id');
});
