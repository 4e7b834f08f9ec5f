import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import {Secret} from '../../../src/config/secret.ts';
import {maxBodySize} from '../../../src/local/http/server.ts';
import {portOf, sharedTestServices, startTestService} from '../../support/local-service.ts';
import {callRaw} from '../../support/raw-call.ts';
import {createSession} from '../../support/sessions.ts';

const shared = sharedTestServices();

const unknown = '00000000-0000-4000-8000-000000000000';

test('answers only requests with the key', async () => {
	const {local} = await shared();
	const key = local.key.reveal();
	for (const [authorization, what] of [
		['', 'the key is missing'],
		['Bearer', 'the key is missing'],
		['Bearer wrong', 'the key is wrong'],
		[`Basic ${key}`, 'the key is missing'],
		[`Bearer ${'x'.repeat(43)}`, 'the key is wrong'],
	] as const) {
		const answer = await callRaw(local, 'GET', '/api/v0/organization/users', {headers: {authorization}});
		expect(answer.status).toBe(401);
		expect(answer.text).toContain(`"${what}"`);
		expect(answer.text).not.toContain(key);
	}
	expect((await callRaw(local, 'GET', '/api/v0/organization/users')).status).toBe(200);
});

test('announces itself, so that clients ask it for states as often as they like', async () => {
	const {local} = await startTestService({port: 0});
	const heard: (boolean | undefined)[] = [];
	const {url, key} = portOf(local);
	const service = createHttpService({
		address: {baseUrl: url, appUrl: url, key: new Secret(key)},
		onResponse: ({isEmbedded}) => heard.push(isEmbedded),
	});
	await service.users.list({limit: 1});
	await service.close();
	expect(heard).toEqual([true]);
});

test('refuses a page whose name was rebound to loopback', async () => {
	const {local} = await startTestService({port: 0});
	const {port} = new URL(portOf(local).url);
	for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', '127.0.0.1'])
		expect((await callRaw(local, 'GET', '/api/v0/organization/users', {headers: {host}})).status).toBe(421);
	const host = `localhost:${port}`;
	expect((await callRaw(local, 'GET', '/api/v0/organization/users', {headers: {host}})).status).toBe(200);
});

test('only the owner can access the socket, the key file and the database', async () => {
	const {folder, local} = await startTestService({port: 0});
	const {url, key, keyFile = ''} = local.port ?? {};
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(statSync(local.socket).isSocket()).toBe(true);
	expect(statSync(dirname(local.socket)).mode & 0o777).toBe(0o700);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	const files = ['service.sqlite', 'service.sqlite-wal', 'service.sqlite-shm'].map(name =>
		join(folder, name),
	);
	for (const file of [local.socket, join(folder, 'service.key'), keyFile, ...files])
		expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
	for (const each of [local.key, key])
		expect(Buffer.from(each?.reveal() ?? '', 'base64url')).toHaveLength(32);
	expect(readFileSync(keyFile, 'utf8')).toBe(key?.reveal());
});

test('opens a port only if asked to, with its own key, which changes with each start', async () => {
	expect((await startTestService()).local.port).toBeUndefined();
	const {local, folder, close} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	const headers = {authorization: `Bearer ${local.key.reveal()}`};
	expect((await callRaw(local, 'GET', '/api/v0/organization/users', {headers})).status).toBe(401);
	await close();
	expect(readdirSync(folder).filter(name => name.startsWith('key'))).toEqual([]);

	const again = await startTestService({folder, port: Number(new URL(url).port)});
	expect(portOf(again.local).key).not.toBe(key);
});

test('a socket refuses other host names', async () => {
	const {local} = await shared();
	for (const host of ['evil.example', '127.0.0.1', 'localhost:80', 'localhost.'])
		expect((await callRaw(local, 'GET', '/api/v0/organization/users', {headers: {host}})).status).toBe(421);
});

describe('a request outside the contract is refused, naming the wrong field', () => {
	const bodies: readonly (readonly [string, string, unknown, string])[] = [
		['POST', '/api/v0/computers', {}, 'name'],
		['POST', '/api/v0/computers', {name: '', remoteUser: 'me'}, 'name'],
		['POST', '/api/v0/computers', {name: 'x'.repeat(64), remoteUser: 'me'}, 'name'],
		['POST', '/api/v0/computers', {name: 'x', remoteUser: 'me', provider: 'other'}, 'provider'],
		['POST', '/api/v0/computers', {name: 'x', remoteUser: 'me', provider: 'e2b'}, 'provider'],
		['POST', '/api/v0/computers', {name: 'x', remoteUser: 'me', hostId: 'x'}, 'hostId'],
		['POST', '/api/v0/computers', {name: 'x', remoteUser: 'me', extra: 1}, ''],
		['POST', '/api/v0/computers', {name: 'x', remoteUser: 'me', repos: ['--upload-pack=x']}, 'repos.0'],
		[
			'POST',
			'/api/v0/computers',
			{name: 'x', remoteUser: 'me', repos: ['ssh://-oProxyCommand=x/y']},
			'repos.0',
		],
		[
			'POST',
			'/api/v0/computers',
			{name: 'x', remoteUser: 'me', repos: Array(21).fill('https://h/r')},
			'repos',
		],
		[
			'POST',
			'/api/v0/computers',
			{name: 'x', remoteUser: 'me', repos: [`https://h/${'r'.repeat(2048)}`]},
			'repos.0',
		],
		['POST', '/api/v0/sessions', {}, 'computerId'],
		['POST', '/api/v0/sessions', {computerId: unknown, cwd: ''}, 'cwd'],
		['POST', '/api/v0/sessions', {computerId: unknown, environment: {LD_PRELOAD: 'x'}}, 'environment'],
		['POST', '/api/v0/sessions', {computerId: unknown, sessionSettings: {tokenUsage: {}}}, 'sessionSettings'],
	];
	test.each(bodies)('%s %s %j', async (method, path, body, field) => {
		const {local} = await shared();
		const answer = await callRaw(local, method, path, {body: JSON.stringify(body)});
		expect(answer.status).toBe(400);
		const problem = JSON.parse(answer.text);
		expect(problem).toMatchObject({title: 'Bad request', status: 400});
		expect(problem.requestId).toBe(answer.headers['x-request-id']);
		expect(problem.errors.map(({path: name}: {path: string}) => name)).toContain(field);
	});

	const queries: readonly (readonly [string, string])[] = [
		['/api/v0/organization/users?limit=0', 'limit'],
		['/api/v0/organization/users?limit=ten', 'limit'],
		['/api/v0/organization/users?limit=1&limit=2', 'limit'],
		['/api/v0/organization/users?cursor=nonsense', 'cursor'],
		['/api/v0/organization/users?other=1', ''],
		['/api/organization/maturity-level-reports?limit=0', 'limit'],
		[`/api/organization/maturity-level-reports?startAfter=${unknown}`, 'startAfter'],
		['/api/v1/analytics/tokens?startDate=2026-02-01', 'endDate'],
		['/api/v1/analytics/tokens?startDate=2026-02-30&endDate=2026-03-01', 'startDate'],
		['/api/v1/analytics/tokens?startDate=2026-02-01&endDate=2999-01-01', 'endDate'],
		['/api/v1/analytics/tokens?startDate=2026-02-02&endDate=2026-02-01', 'startDate'],
		['/api/v1/analytics/tokens?startDate=2026-02-01&endDate=2026-02-02&group_by=client', 'group_by'],
		['/api/v1/analytics/users?startDate=2026-02-01&endDate=2026-02-02&limit=101', 'limit'],
	];
	test.each(queries)('GET %s', async (path, field) => {
		const {local} = await shared();
		const answer = await callRaw(local, 'GET', path);
		expect(answer.status).toBe(400);
		expect(JSON.parse(answer.text).errors.map(({path: name}: {path: string}) => name)).toContain(field);
	});
});

test("today's data is available only where it is asked for", async () => {
	const {local} = await shared();
	const today = new Date().toISOString().slice(0, 10);
	const path = `/api/v1/analytics/activity?startDate=2026-02-01&endDate=${today}`;
	const answer = await callRaw(local, 'GET', path);
	expect(answer.status).toBe(400);
	expect(JSON.parse(answer.text).detail).toContain('up to yesterday (UTC)');
	const offered = await callRaw(local, 'GET', `${path}&include_today=true`);
	expect(JSON.parse(offered.text).meta.end_date).toBe(today);
	const later = await callRaw(local, 'GET', `${path.replace(today, '2099-01-01')}&include_today=true`);
	expect(JSON.parse(later.text).detail).toContain('up to today (UTC)');
});

test('tells unknown ids, paths and methods apart', async () => {
	const {local} = await shared();
	const statusOf = async (method: string, path: string, body?: string) =>
		(await callRaw(local, method, path, body === undefined ? {} : {body})).status;
	expect(await statusOf('GET', `/api/v0/computers/${unknown}`)).toBe(404);
	expect(await statusOf('PATCH', `/api/v0/computers/${unknown}`, '{}')).toBe(404);
	expect(await statusOf('POST', `/api/v0/computers/${unknown}/install-deps`)).toBe(404);
	expect(await statusOf('POST', '/api/v0/sessions', JSON.stringify({computerId: unknown}))).toBe(404);
	expect(await statusOf('PATCH', `/api/v0/sessions/${unknown}`, '{}')).toBe(404);
	expect(await statusOf('GET', `/api/v0/sessions/${unknown}/messages`)).toBe(404);
	expect(await statusOf('GET', '/api/v0/computers')).toBe(405);
	expect(await statusOf('DELETE', `/api/v0/computers/${unknown}`)).toBe(405);
	for (const path of [
		'/elsewhere',
		'//',
		'/api/v0/computers/',
		'/api/v0/computers/%g0',
		'/%ff',
		'/?a?b',
		'*',
	])
		expect(await statusOf('GET', path)).toBe(404);
});

test('accepts only JSON bodies of limited size', async () => {
	const {local} = await shared();
	const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
		callRaw(local, 'POST', '/api/v0/computers', {body, headers});
	expect((await post('{"name":')).status).toBe(400);
	expect((await post(Buffer.from([0x7b, 0xff, 0x7d]))).status).toBe(400);
	expect((await post('[]')).status).toBe(400);
	expect((await post('{}', {'content-type': 'text/plain'})).status).toBe(415);
	const headers = {'content-length': String(maxBodySize + 1), connection: 'close'};
	const answer = callRaw(local, 'POST', '/api/v0/computers', {headers});
	await expect(answer).resolves.toMatchObject({status: 413});
});

test('install-deps takes no body', async () => {
	const {local, service} = await shared();
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	const answer = await callRaw(local, 'POST', `/api/v0/computers/${id}/install-deps`, {body: '{}'});
	expect(answer.status).toBe(400);
});

test("renaming a computer keeps what isn't given", async () => {
	const {service} = await shared();
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	const hostId = '11111111-1111-4111-8111-111111111111';
	await service.computers.update(id, {name: 'other', hostId});
	expect(await service.computers.get(id)).toMatchObject({name: 'other', remoteUser: 'me', hostId});
});

test('finds a session only on its own computer', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	await expect(service.messages.list(sessionId, {computerId: unknown})).rejects.toThrow(
		/there is no session/,
	);
	await expect(service.messages.list('echo alpha', {})).rejects.toThrow(/there is no session echo alpha/);
	const {computerId} = await service.sessions.update(sessionId, {});
	const page = await service.messages.list(sessionId, {computerId: computerId ?? ''});
	expect(page).toMatchObject({items: [], hasMore: false});
});
