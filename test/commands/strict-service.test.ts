import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands} from '../support/commands.ts';
import type {Reply} from '../support/fault-server.ts';
import {json} from '../support/replies.ts';

// A service that keeps strictly to the contract.

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
	const {cli, server, env: base} = await servedCommands(strict);
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
