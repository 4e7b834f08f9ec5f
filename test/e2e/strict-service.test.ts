import {expect, test} from 'vitest';
import {cliAt, jsonLines} from '../support/cli.ts';
import {eventually} from '../support/eventually.ts';
import type {Reply} from '../support/fault-server.ts';
import {startFleetService} from '../support/fleet-service.ts';
import {homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';
import {servedCli} from '../support/served-cli.ts';

// Services that keep strictly to the contract, or refuse what they may: the built program over both.

const now = 1_790_000_000_000;

/** Ten messages of a finished turn, the newest first; the newest is a tool's. */
const messages = Array.from({length: 10}, (_, index) => ({
	id: `m-${index}`,
	role: index === 0 ? 'tool' : 'assistant',
	content: [{id: 't', text: `Message ${index}`}],
	createdAt: now - index,
}));

/** Takes a cursor only with the limit and computer of the request that gave it. */
const strictMessages: Reply = (response, request) => {
	const {limit = '20', computerId = 'own', cursor = `0/${limit}/${computerId}`} = request.query;
	const [from = '', ...of] = cursor.split('/');
	if (of.join('/') !== `${limit}/${computerId}`)
		return json({title: 'The cursor is of another list'}, 400)(response, request);
	const to = Number(from) + Number(limit);
	const pagination = {hasMore: to < messages.length, nextCursor: `${to}/${limit}/${computerId}`};
	return json({messages: messages.slice(Number(from), to), pagination})(response, request);
};

const session = {
	sessionId: 's-1',
	status: 'idle',
	// A number, by the contract.
	messageCount: '5',
	createdAt: now,
	updatedAt: now,
	sessionSettings: {tags: [{name: 'keep', metadata: {color: 'red'}}, {name: 'drop'}]},
};

const reports = [
	{
		reportId: 'r-1',
		repoUrl: 'https://git.test/a',
		createdAt: now,
		report: {lint: 7, tests: {numerator: 1, denominator: 1}},
	},
];

/** The answer to everything but messages, by the end of its path. */
const others: readonly (readonly [end: string, reply: Reply])[] = [
	['/organization/users', json({}, 402)],
	['/history', json({}, 403)],
	[
		'/maturity-level-reports',
		(response, request) => json({reports: request.query.startAfter ? [] : reports})(response, request),
	],
];

const strict: Reply = (response, request) => {
	const {path, method, body} = request;
	const other = others.find(([end]) => path.endsWith(end))?.[1];
	if (other) return other(response, request);
	if (method === 'GET') return strictMessages(response, request);
	if (method === 'POST') return json({messageId: 'm-new', status: 'running'})(response, request);
	// Nothing to change: that is the read of a session, which may be refused.
	const isRefused = path.endsWith('/s-3') && Object.keys(body as object).length === 0;
	return json(isRefused ? {} : {...session, sessionId: path.split('/').at(-1)}, isRefused ? 400 : 200)(
		response,
		request,
	);
};

test('commands ask for what the contract has, keep what they were told, and say what they could not read', async () => {
	const {cli, server, env: base} = await servedCli(strict);
	const env = {...base, QUARTERDECK_APP_URL: server.url};
	const run = (...args: string[]) => cli.run(args, {env});
	const done = async (...args: string[]) => {
		const result = await run(...args);
		expect({args, code: result.code, stderr: result.stderr}).toMatchObject({args, code: 0});
		return result;
	};
	const lastBody = () => server.requests.at(-1)?.body;

	await done('messages', 's-2', '--computer-id', 'c-zzz', '--limit', '3');
	const reads = server.requests.filter(({path}) => path.endsWith('/messages'));
	expect(reads.map(({query}) => query.computerId)).toContain('c-zzz');
	expect(jsonLines((await done('messages', 's-2', '--all', '--json')).stdout)).toHaveLength(10);
	await done('send', 's-2', 'hello');
	expect(lastBody()).toEqual({text: 'hello'});

	// The service's own idle outlives each of these programs, though a tool had the last word.
	await done('sessions', 'update', 's-3', '--model', 'm');
	await done('sessions', 'wait', 's-3', '--for', 'idle', '--timeout', '20');
	expect((await done('sessions', 'list')).stdout).toMatch(/s-3 +idle +\d/);

	const lock = {providerLockTimestamp: '2026-05-01T10:00:00Z'};
	const tags = ['--tag', 'keep', '--tag', 'new', '--settings', JSON.stringify(lock), '--json'];
	const updated = await done('sessions', 'update', 's-1', ...tags);
	expect(lastBody()).toEqual({
		sessionSettings: {...lock, tags: [{name: 'keep', metadata: {color: 'red'}}, {name: 'new'}]},
	});
	expect(jsonLines(updated.stdout)).toMatchObject([{quarterdeck: {unreadable: {messageCount: '5'}}}]);
	const readiness = await run('readiness', '--json');
	expect(jsonLines(readiness.stdout)).toMatchObject([{quarterdeck: {unreadable: {report: {lint: 7}}}}]);
	expect(readiness).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('1 item could not be read completely'),
	});

	expect(await run('users')).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(/payment .*plan and credits/),
	});
	const refused = await run('controls');
	expect(refused).toMatchObject({code: 3, stderr: expect.stringContaining('not allowed')});
	expect(refused.stderr).not.toMatch(/manager/i);

	const asked = server.requests.length;
	expect((await run('usage', 'tokens', '--limit', 'abc')).code).toBe(2);
	const malformed = {...env, QUARTERDECK_API_KEY: 'two words'};
	expect((await cli.run(['computers', 'get', 'c-1'], {env: malformed})).code).toBe(2);
	expect(server.requests.length).toBe(asked);
});

test('a screen over a service that refuses what it may says what holds a message, a computer and a page', async () => {
	const service = await startFleetService();
	const hour = 3_600_000;
	service.addSession('s-long', {status: 'running'});
	service.say('s-long', 'user', 'Run the long tests', {ago: 5000});
	service.addSession('s-over');
	service.say('s-over', 'user', 'Tidy up', {ago: hour});
	service.say('s-over', 'assistant', 'It is tidy.', {ago: hour - 60_000});
	const startedAt = Date.now() - 2 * hour;
	service.computers.set('c-1', {
		id: 'c-1',
		name: 'stuck-box',
		status: 'provisioning',
		createdAt: startedAt,
		provisioningSteps: [{id: 'clone', name: 'clone', status: 'running', startedAt}],
	});
	// The list of users, with which a start asks for the service, is not found.
	const changes = {changes: [], pagination: {hasMore: false, nextCursor: ''}};
	service.elsewhere.set('/api/v0/organization/enterprise-controls/history', {value: changes});
	const limited = {status: 429, retryAfter: 600, value: {}};
	service.elsewhere.set('/api/organization/maturity-level-reports', limited);
	const env = await homeThatKnows(service);
	const posts = () => service.requests.filter(({line}) => line.startsWith('POST')).length;

	const cli = cliAt(String(env.HOME));
	const cliEnv = {env: env as Record<string, string>};
	expect((await cli.run(['doctor'], cliEnv)).stdout).toMatch(/^service +ok /m);
	// Whatever it first reads stands since before its start.
	const watch = cli.start(['sessions', 'watch'], cliEnv);
	const {see, press, type, exit} = openProgram(['--session', 's-long'], env, {columns: 140, rows: 40});
	await see('● connected');
	await see(/! stuck-box +2h/);
	await see('stuck? · clone: no change for over a');
	await see(/Run the long tests · ● working/);
	await see('Enter write');
	press('enter');
	await see('Enter send');
	type('First after it');
	press('enter');
	await see(/First after it/);
	await see('waiting for its turn');
	type('Second after it');
	press('enter');
	await see("queued until the agent's turn ends");
	expect(posts()).toBe(1);
	press('esc');
	await see('R send now');
	press('R');
	await eventually(() => expect(posts()).toBe(2));
	service.say('s-long', 'assistant', 'The sandbox is gone.', {isError: true});
	// Its messages may have been read before that one.
	expect(await watch.until(/s-long +failed/)).toMatch(/^\S+ \S+ +s-long +failed +.*The sandbox is gone\.$/m);
	watch.child.kill('SIGINT');
	press('5');
	// As a page that waits, or that was refused.
	await see(/› Readiness[\s\S]*(?:until|before) \d\d:\d\d/);
	// Usage comes from the same origin.
	press('4');
	await see(/› Usage[\s\S]*(?:until|before) \d\d:\d\d/);
	press('q');
	await exit();
});
