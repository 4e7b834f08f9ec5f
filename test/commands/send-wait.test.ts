import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands} from '../support/commands.ts';
import {fakeClock} from '../support/fake-clock.ts';
import type {Reply} from '../support/fault-server.ts';
import {passing} from '../support/passing-time.ts';
import {json, silence} from '../support/replies.ts';

/** A session at a service where the parent of every message is the first one, which it answers at once. */
async function threadService(answer: readonly string[], probed: Reply = isIdle) {
	const {cli, server, env} = await servedCommands();
	const messages: {id: string; parentId: string; content: {text: string}[]; createdAt: number}[] = [];
	const add = (id: string, ahead = 0) =>
		messages.unshift({
			id,
			parentId: 'u-1',
			content: [{text: `text of ${id}`}],
			createdAt: Date.now() + ahead,
		});
	add('u-1');
	add('a-1');
	server.otherwise((response, request) => {
		if (request.method === 'POST') {
			add('u-2');
			for (const id of answer) add(id, 1000);
			return json({messageId: 'u-2', status: 'running'})(response, request);
		}
		if (request.method === 'PATCH') return probed(response, request);
		const {role = ''} = request.query;
		const listed = messages.filter(({id}) => role === '' || id.startsWith(role.slice(0, 1)));
		return json({messages: listed, pagination: {hasMore: false, nextCursor: null}})(response, request);
	});
	const clock = fakeClock(Date.now());
	/** Sends and waits, while time passes. */
	const wait = (...more: string[]) => passing(clock, cli.run([...args, ...more], {env, clock}));
	return {cli, env, wait};
}

const args = ['send', 's-1', 'words', '--wait'];
const isIdle = json({sessionId: 's-1', status: 'idle'});

test('an answer whose parent is the first message of the thread ends the wait, once the session is idle', async () => {
	const {cli, env, wait} = await threadService(['a-2']);
	expect(await wait()).toEqual({code: 0, stdout: 'text of a-2\n', stderr: ''});
	const [listed] = jsonLines((await cli.run(['sessions', 'list', '--json'], {env})).stdout);
	expect(listed).toMatchObject({quarterdeck: {state: 'done'}});
});

test("a tool's output is not printed as the answer", async () => {
	const {wait} = await threadService(['t-2', 'a-2']);
	expect(await wait()).toEqual({code: 0, stdout: 'text of a-2\n', stderr: ''});
});

test('an answer is whole, too, while another message of the session is undelivered', async () => {
	const {cli, server, env} = await servedCommands();
	const sentAt = Date.now();
	const clock = fakeClock(sentAt);
	const said = (id: string, role: string) => ({
		id,
		role,
		content: [{text: `text of ${id}`}],
		createdAt: sentAt,
	});
	const messages: ReturnType<typeof said>[] = [];
	const posted = [json({error: 'no'}, 400), json({messageId: 'u-1', status: 'running'})];
	const probed = ['running', 'idle'];
	server.otherwise((response, request) => {
		if (request.method === 'GET') return json({messages, pagination: {hasMore: false}})(response, request);
		if (request.method === 'PATCH') {
			if (messages.length === 2) messages.unshift(said('a-2', 'assistant'));
			return json({sessionId: 's-1', status: probed.shift()})(response, request);
		}
		if (posted.length === 1) messages.push(said('a-1', 'assistant'), said('u-1', 'user'));
		return posted.shift()?.(response, request);
	});
	expect(await cli.run(['send', 's-1', 'other'], {env, clock})).toMatchObject({code: 1});
	const result = await passing(clock, cli.run(args, {env, clock}));
	expect(result).toEqual({code: 0, stdout: 'text of a-1\ntext of a-2\n', stderr: ''});
});

test.each<[string, Reply]>([
	['refuses to say', json({error: 'no'}, 400)],
	['says nothing of its state', json({sessionId: 's-1'})],
	['answers something else', json({messages: []})],
])(
	'an answer is only assumed to be complete if the service %s whether the turn is over',
	async (_, probed) => {
		const {wait} = await threadService(['a-2'], probed);
		expect(await wait()).toEqual({
			code: 7,
			stdout: 'text of a-2\n',
			stderr: expect.stringContaining('assuming that the agent is done'),
		});
	},
);

test('--wait-timeout ends a wait without an answer with 124, and says that the message was sent', async () => {
	const {cli, env} = await threadService([]);
	const clock = fakeClock(Date.now());
	const result = await passing(clock, cli.run([...args, '--wait-timeout', '1'], {env, clock}));
	expect(result).toEqual({
		code: 124,
		stdout: '',
		stderr: expect.stringMatching(
			/no complete answer within 1 s; the message u-2 was sent: see \S+ messages s-1\n$/,
		),
	});
	const shown = await cli.run(['messages', 's-1', '--role', 'user'], {env});
	expect(shown.stdout).toContain('text of u-2');
});

test('--wait-timeout without --wait is refused before anything is sent', async () => {
	const {cli, env} = await threadService([]);
	const result = await cli.run(['send', 's-1', 'words', '--wait-timeout', '1'], {env});
	expect(result).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--wait-timeout works only with --wait'),
	});
	const shown = await cli.run(['messages', 's-1', '--role', 'user'], {env});
	expect(shown.stdout).not.toContain('text of u-2');
});

/** A service that accepts a post and answers every read this way. */
const readsAnswered = (reply: Reply) =>
	servedCommands((response, request) =>
		(request.method === 'POST' ? json({messageId: 'u-1', status: 'running'}) : reply)(response, request),
	);

describe('a wait that fails says first that the message was sent, and which it is', () => {
	test.each([
		[401, 3, 'The service refused the key (401)'],
		[403, 3, 'The key is not allowed to do this (403)'],
		[400, 1, 'The service refused the request (400)'],
	])('reading the messages is refused with %i', async (status, code, why) => {
		const {cli, server, env} = await readsAnswered(json({error: 'no'}, status));
		const result = await cli.run(args, {env});
		expect(result).toMatchObject({code, stdout: ''});
		const [first, second, ...others] = result.stderr.split('\n');
		expect(first).toMatch(/^quarterdeck: the message u-1 was sent: see \S+ messages s-1$/);
		expect(second).toContain(why);
		expect(others).toEqual(['']);
		expect(server.requests.filter(({method}) => method === 'POST')).toHaveLength(1);
	});

	test('it is interrupted', async () => {
		const {cli, server, env} = await readsAnswered(silence());
		const run = cli.start(args, {env});
		await server.asked(2);
		run.interrupt();
		expect(await run.ended).toMatchObject({
			code: 130,
			stdout: '',
			stderr: expect.stringMatching(/^quarterdeck: the message u-1 was sent: [^\n]+\n$/),
		});
	});
});

describe('a wait that ends by --wait-timeout says why the last read failed', () => {
	const id = {'x-request-id': 'req-9'};
	test.each<[string, Reply, string]>([
		['500', json({error: 'no'}, 500, id), 'The service failed (500): no (request req-9).'],
		[
			'429 for longer than a read may take',
			json({error: 'slow'}, 429, {...id, 'retry-after': '500'}),
			'The service is rate-limiting requests (429): slow (request req-9).',
		],
	])('%s', async (_, reply, problem) => {
		const {cli, env} = await readsAnswered(reply);
		const clock = fakeClock(Date.now());
		const {code, stdout, stderr} = await passing(
			clock,
			cli.run([...args, '--wait-timeout', '3'], {env, clock}),
		);
		expect({code, stdout}).toEqual({code: 124, stdout: ''});
		const [failed, timedOut, ...others] = stderr.split('\n');
		expect(failed).toContain(problem);
		expect(timedOut).toMatch(
			/^quarterdeck: no complete answer within 3 s; the message u-1 was sent: see \S+ messages s-1$/,
		);
		expect(others).toEqual(['']);
	});
});

test('a wait without a limit says once that reads fail, and goes on', async () => {
	let reads = 0;
	const sentAt = Date.now();
	const said = (id: string, role: string) => ({
		id,
		role,
		content: [{id, text: `text of ${id}`}],
		createdAt: sentAt + 1000,
	});
	const {cli, env} = await servedCommands((response, request) => {
		if (request.method === 'POST') return json({messageId: 'u-1', status: 'running'})(response, request);
		if (request.method === 'PATCH')
			return json({
				sessionId: 's-1',
				status: 'idle',
				messageCount: 2,
				createdAt: 1_777_000_000_000,
				updatedAt: 1_777_000_000_000,
			})(response, request);
		// The client repeats a read once: two polls fail.
		if (++reads <= 4) return json({error: 'no'}, 500, {'x-request-id': 'req-9'})(response, request);
		const messages = [said('a-1', 'assistant'), said('u-1', 'user')];
		return json({messages, pagination: {hasMore: false, nextCursor: ''}})(response, request);
	});
	const clock = fakeClock(sentAt);
	const {code, stdout, stderr} = await passing(clock, cli.run(args, {env, clock}));
	expect({code, stdout}).toEqual({code: 0, stdout: 'text of a-1\n'});
	expect(stderr).toBe('quarterdeck: s-1: The service failed (500): no (request req-9). Retrying.\n');
});

describe('the time that send --wait has waited', () => {
	/** A service that takes a message, and answers reads only at the end: it refuses them. */
	async function hanging() {
		const {promise, resolve} = Promise.withResolvers<void>();
		const served = await servedCommands(async (response, request) => {
			if (request.method === 'POST') return json({messageId: 'u-1', status: 'running'})(response, request);
			await promise;
			return json({error: 'no'}, 403)(response, request);
		});
		return {...served, refuse: resolve};
	}

	test("isn't counted without a terminal", async () => {
		const {cli, server, env, refuse} = await hanging();
		const run = cli.start(args, {env});
		await server.asked(2);
		refuse();
		const {code, stderr} = await run.ended;
		expect(code).toBe(3);
		expect(stderr).not.toContain('no complete answer yet');
	});
});
