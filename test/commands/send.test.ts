import {describe, expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {type CliResult, jsonLines} from '../support/cli.ts';
import {type Commands, servedCommands as setUp} from '../support/commands.ts';
import {eventually} from '../support/eventually.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {type FaultServer, type Reply, startFaultServer} from '../support/fault-server.ts';
import {passing} from '../support/passing-time.ts';
import {json, resetAfter, silence} from '../support/replies.ts';

function databaseOf(cli: Commands) {
	const database = openDatabase({file: onlyAccountFile(cli.stateFolder)});
	onTestFinished(() => database.close());
	return database;
}

const posts = (server: FaultServer) => server.requests.filter(({method}) => method === 'POST');
const accepted = (id: string): Reply => json({messageId: id, status: 'running'});
const stateOf = (result: CliResult) =>
	(jsonLines(result.stdout)[0] as {quarterdeck?: {state?: string}} | undefined)?.quarterdeck?.state;

/** A service that keeps what is posted, and lists it newest first; some answers to posts are lost. */
function messageService(isLost: (text: string) => boolean = () => false, isListed = () => true): Reply {
	const messages: {id: string; content: {text: string}[]; createdAt: number}[] = [];
	return (response, request) => {
		if (request.method === 'GET') {
			const listed = isListed() ? messages.toReversed() : [];
			return json({messages: listed, pagination: {hasMore: false, nextCursor: null}})(response, request);
		}
		const {text} = request.body as {text: string};
		const id = `m-${messages.length + 1}`;
		messages.push({id, content: [{text}], createdAt: Date.now()});
		return (isLost(text) ? resetAfter(0, '') : accepted(id))(response, request);
	};
}

test('a Retry-After beyond the time limit, given to one process, holds back the others', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(json({}, 429, {'retry-after': '3600'}));
	const first = await cli.run(['send', 's-1', 'first'], {env});
	const second = await cli.run(['send', 's-2', 'second'], {env});
	expect(posts(server)).toHaveLength(1);
	const short = await cli.run(['send', 's-2', 'short', '--timeout', '1'], {env});
	const kept = {code: 6, stdout: '', stderr: expect.stringContaining('The message is saved')};
	for (const result of [first, second, short]) expect(result).toMatchObject(kept);
	const impatient = await cli.run(['send', 's-3', 'impatient', '--no-wait', '--json'], {env});
	expect(impatient.code).toBe(6);
	expect(impatient.stderr).toContain('The service is rate-limiting requests');
	expect(stateOf(impatient)).toBe('queued');
	expect(posts(server)).toHaveLength(1);
});

describe("a service that can't be reached", () => {
	const kept = ' The message is saved: ';
	const refused = (url: string) => `The service can't be reached at ${url}: the connection was refused.`;
	async function closedPort() {
		const {cli, server, env} = await setUp();
		await server.close();
		return {cli, env, url: server.url};
	}

	test.each([
		['at once', ['--no-wait']],
		['when no try is due within the time limit', ['--timeout', '1']],
	])('is named with its cause, %s', async (_, flags) => {
		const {cli, env, url} = await closedPort();
		const {code, stdout, stderr} = await cli.run(['send', 's-1', 'words', ...flags], {
			env,
		});
		expect({code, stdout}).toEqual({code: 6, stdout: ''});
		const users = await cli.run(['users'], {env});
		expect(users.stderr).toContain(refused(url));
		expect(stderr.startsWith(`${users.stderr.trimEnd()}${kept}`)).toBe(true);
	});

	test('is named where the port speaks no TLS', async () => {
		const {cli, server, env} = await setUp();
		const url = server.url.replace('http:', 'https:');
		const args = ['send', 's-1', 'words', '--no-wait'];
		const {code, stderr} = await cli.run(args, {env: {...env, QUARTERDECK_BASE_URL: url}});
		expect(code).toBe(6);
		expect(stderr).toContain(`can't be reached at ${url}: a secure connection could not be made`);
	});

	test('is named for a message that waits behind another, and for one that was tried before', async () => {
		const {cli, env, url} = await closedPort();
		await cli.run(['send', 's-1', 'first', '--no-wait'], {env});
		// Any next try is due long after the commands that follow.
		const database = databaseOf(cli);
		const [first] = database.outbox.all();
		if (!first) throw new Error('nothing is kept');
		database.outbox.put({...first, waitsSince: Date.now(), notBefore: Date.now() + 60_000});
		const second = await cli.run(['send', 's-1', 'second', '--no-wait'], {env});
		expect(second).toMatchObject({code: 6, stdout: ''});
		const due = `next try in N s: ${refused(url)}${kept}`;
		const withoutTime = ({stderr}: CliResult) => stderr.replace(/\d+ s:/, 'N s:');
		expect(withoutTime(second)).toContain(
			`quarterdeck: An earlier message of this session was not accepted, ${due}`,
		);
		const waited = await cli.run(['outbox', 'wait', first.id, '--timeout', '1'], {
			env,
		});
		expect(waited.code).toBe(6);
		expect(withoutTime(waited).toLowerCase()).toContain(due.toLowerCase());
	});
});

test('a service that comes up within the time limit gets the message', async () => {
	const {cli, server, env} = await setUp();
	const {port} = new URL(server.url);
	await server.close();
	const clock = fakeClock(Date.now());
	const sending = cli.start(['send', 's-1', 'patience'], {env, clock});
	await eventually(() => expect(databaseOf(cli).outbox.all()[0]?.problem).toMatch(/can't be reached/));
	const later = await startFaultServer(Number(port));
	onTestFinished(() => later.close());
	later.otherwise(accepted('m-1'));
	expect(await passing(clock, sending.ended)).toMatchObject({code: 0, stdout: 'm-1\n'});
	expect(posts(later)).toHaveLength(1);
});

test('the same send after a lost answer finds the message, and posts no second one', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(messageService(() => true));
	expect((await cli.run(['send', 's-1', 'precious words'], {env})).code).toBe(5);
	const again = await cli.run(['send', 's-1', 'precious words'], {env});
	expect(posts(server)).toHaveLength(1);
	expect(again).toMatchObject({code: 0, stdout: 'm-1\n', stderr: expect.stringContaining('it has arrived')});
	// It was reported: the same words are a new message now.
	await cli.run(['send', 's-1', 'precious words'], {env});
	expect(posts(server)).toHaveLength(2);
});

test("a message that isn't found is resent only when the user says so", async () => {
	const {cli, server, env} = await setUp();
	let isListed = false;
	let isLost = true;
	server.otherwise(
		messageService(
			() => isLost,
			() => isListed,
		),
	);
	await cli.run(['send', 's-1', 'precious words'], {env});
	const again = await cli.run(['send', 's-1', 'precious words', '--timeout', '1'], {
		env,
	});
	expect(again).toMatchObject({code: 5, stdout: ''});
	const [item] = databaseOf(cli).outbox.all();
	expect(again.stderr).toContain(`outbox resend or discard ${item?.id}`);
	expect(posts(server)).toHaveLength(1);
	isListed = true;
	isLost = false;
	const resent = await cli.run(['outbox', 'resend', `${item?.id}`, '--json'], {env});
	expect(resent.code).toBe(0);
	expect(jsonLines(resent.stdout)).toMatchObject([{id: item?.id, state: 'accepted', messageId: 'm-2'}]);
	expect(posts(server)).toHaveLength(2);
});

test('a message delivered by another command is reported by the same send', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(messageService(() => true));
	await cli.run(['send', 's-1', 'precious words'], {env});
	expect(await cli.run(['outbox', 'wait'], {env})).toMatchObject({code: 0});
	const again = await cli.run(['send', 's-1', 'precious words'], {env});
	expect(again).toMatchObject({code: 0, stdout: 'm-1\n', stderr: expect.stringContaining('earlier command')});
	expect(posts(server)).toHaveLength(1);
});

test('--no-wait gives up an answer that never comes, and the same send finds the message', async () => {
	const {cli, server, env} = await setUp();
	const keep = messageService();
	server.answer((_, request) => keep({writeHead: () => ({end() {}})} as never, request));
	server.otherwise(keep);
	const clock = fakeClock(Date.now());
	const hanging = cli.start(['send', 's-1', 'precious words', '--no-wait', '--json'], {env, clock});
	await server.asked(1);
	await clock.advance(10_000);
	const hung = await hanging.ended;
	expect(hung).toMatchObject({code: 5, stderr: expect.stringContaining('no complete response within 10 s')});
	expect(stateOf(hung)).toBe('unconfirmed');
	const again = await cli.run(['send', 's-1', 'precious words', '--no-wait'], {env});
	expect(again).toMatchObject({code: 0, stdout: 'm-1\n', stderr: expect.stringContaining('it has arrived')});
	expect(posts(server)).toHaveLength(1);
});

test('JSON has the state of every way in which a send ends', async () => {
	const {cli, server, env} = await setUp();
	server.answer(accepted('m-1'), json({}, 400), json({}, 401), resetAfter(0, ''));
	server.otherwise(silence());
	const run = (text: string, ...args: string[]) =>
		cli.run(['send', `s-${text}`, text, '--json', ...args], {env});
	const done = await run('done');
	expect(jsonLines(done.stdout)).toMatchObject([{messageId: 'm-1', status: 'running'}]);
	const failed = await run('failed');
	const held = await run('held');
	const lost = await run('lost');
	const all = [done, failed, held, lost];
	expect(all.map(({code}) => code)).toEqual([0, 1, 3, 5]);
	expect(all.map(stateOf)).toEqual(['accepted', 'failed', 'queued', 'unconfirmed']);
	const interrupted = cli.start(['send', 's-i', 'interrupted', '--json'], {env});
	await server.asked(5);
	interrupted.interrupt();
	expect(stateOf(await interrupted.ended)).toBe('unconfirmed');
});

test('a computer named for one call is used for that call alone', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(messageService());
	await cli.run(['messages', 's-1', '--computer-id', 'c-7'], {env});
	expect(server.requests.at(-1)?.query).toMatchObject({computerId: 'c-7'});
	// Nor does a hosted service learn that an agent sends it.
	await cli.run(['send', 's-1', 'words'], {env: {...env, CLAUDECODE: '1'}});
	expect(server.requests.at(-1)?.body).toEqual({text: 'words'});
	await cli.run(['send', 's-1', 'words', '--computer-id', 'c-7'], {env});
	expect(server.requests.at(-1)?.body).toEqual({text: 'words', computerId: 'c-7'});
	await cli.run(['messages', 's-1'], {env});
	expect(server.requests.at(-1)?.query).not.toHaveProperty('computerId');
});

test('the known computer of a session is used for its reads and sends', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(messageService());
	await cli.run(['sessions', 'add', 's-1', '--computer-id', 'c-7'], {env});
	await cli.run(['messages', 's-1'], {env});
	expect(server.requests.at(-1)?.query).toMatchObject({computerId: 'c-7'});
	await cli.run(['send', 's-1', 'words'], {env});
	expect(server.requests.at(-1)?.body).toEqual({text: 'words', computerId: 'c-7'});
});

test('what a send waits for is noted in one line without a terminal', async () => {
	const {cli, server, env} = await setUp();
	server.answer(resetAfter(0, ''));
	server.otherwise(json({messages: [], pagination: {hasMore: false, nextCursor: null}}));
	await cli.run(['send', 's-1', 'lost'], {env});
	const clock = fakeClock(Date.now());
	const next = cli.start(['send', 's-1', 'next'], {env, clock});
	await server.asked(2);
	await clock.advance(5_000);
	expect(next.stderr).toContain('earlier message of this session was lost: looking for');
	expect(next.stderr).toMatch(/^quarterdeck: still waiting: the response to an earlier message[^\n]+\n$/);
	next.interrupt();
	expect((await next.ended).code).toBe(130);
});
