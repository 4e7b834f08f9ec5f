import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import {accountFileFor, onlyAccountFile} from '../support/account-files.ts';
import {jsonLines, oneLine} from '../support/cli.ts';
import {type Commands, commandsAt, servedCommands as setUp} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {html, json, noMessages, resetAfter} from '../support/replies.ts';
import {key} from '../support/served-cli.ts';
import {tinyPng} from '../support/tiny-files.ts';

describe('the service says no', () => {
	test.each([
		['a refused key', 3, json({error: 'bad key'}, 401)],
		['an unknown id', 4, json({message: 'no such computer'}, 404)],
		['a page of another service', 4, html(404, 'Welcome')],
		['a failure of its own', 1, html(502, 'Bad gateway')],
	])('%s exits with %i and one line', async (_, code, reply) => {
		const {cli, server, env} = await setUp();
		server.otherwise(reply);
		const result = await cli.run(['computers', 'get', 'c-1'], {env});
		expect(result).toMatchObject({code, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).not.toContain(key);
	});

	test.each([
		['in the body', {title: 'bad', status: 422, requestId: 'req-7'}, {}],
		['in a header', {message: 'bad'}, {'x-request-id': 'req-7'}],
	])('its request id, %s, is in the error', async (_, body, headers) => {
		const {cli, server, env} = await setUp();
		server.otherwise(json(body, 422, headers));
		const {stderr} = await cli.run(['computers', 'get', 'c-1'], {env});
		expect(stderr).toMatch(oneLine);
		expect(stderr).toContain('(request req-7)');
	});

	test('a service that is down exits with 1 and one line', async () => {
		const {cli, server, env} = await setUp();
		await server.close();
		const result = await cli.run(['computers', 'get', 'c-1'], {env});
		expect(result).toMatchObject({code: 1, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
	});
});

describe('usage up to a day that the service refuses', () => {
	const yesterday = addDays(utcDayOf(Date.now()), -1);
	const before = addDays(yesterday, -1);

	test('prints the data there is, says so, and fails', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise((response, request) => {
			const {endDate} = request.query;
			const data = [{date: before, tool_calls: 7}];
			const isRefused = endDate === yesterday;
			const answer = isRefused
				? json({title: "today's date", requestId: 'req-9'}, 400)
				: json({data, meta: {}});
			return answer(response, request);
		});
		const days = ['--from', before, '--to', yesterday, '--csv'];
		const result = await cli.run(['usage', 'tools', ...days], {env});
		expect(result).toMatchObject({code: 1, stdout: expect.stringContaining(`${before},7`)});
		expect(result.stderr).toBe(
			`quarterdeck: the service refused ${yesterday}: its last day is ${before}, so the data ends there\n`,
		);
		// Of one day nothing is left: that is the service's own refusal, with its id of the request.
		const one = await cli.run(['usage', 'tools', '--from', yesterday, '--to', yesterday], {env});
		expect(one).toMatchObject({code: 1, stdout: ''});
		expect(one.stderr).toContain("today's date (request req-9)");
	});
});

describe('a message', () => {
	const outboxOf = (cli: Commands) => {
		const database = new DatabaseSync(onlyAccountFile(cli.stateFolder), {readOnly: true});
		try {
			return database.prepare('SELECT * FROM outbox').all();
		} finally {
			database.close();
		}
	};

	test('whose answer is lost exits with 5, is kept, and is posted once', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(resetAfter(0, ''));
		const result = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(result).toMatchObject({code: 5, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(server.requests.filter(({method}) => method === 'POST')).toHaveLength(1);
		const listed = await cli.run(['outbox', 'list', '--json'], {env});
		const kept = {sessionId: 's-1', text: 'precious words', state: 'unconfirmed'};
		expect(jsonLines(listed.stdout)).toMatchObject([kept]);
		await cli.run(['computers', 'list'], {env});
		expect(server.requests).toHaveLength(1);
	});

	test('to an unknown session exits with 4, and nothing is kept', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(json({}, 404));
		const result = await cli.run(['send', 's-none', 'words', '--json'], {env});
		expect(result).toMatchObject({code: 4, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).toContain('nothing was saved');
		expect(outboxOf(cli)).toEqual([]);
		expect((await cli.run(['sessions', 'list', '--json'], {env})).stdout).toBe('');
		expect(server.requests.filter(({method}) => method === 'POST')).toHaveLength(1);
	});

	test('to a computer that may be wrong is kept, even if the session is unknown', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(json({}, 404));
		const result = await cli.run(['send', 's-none', 'words', '--computer-id', 'c-wrong'], {env});
		expect(result).toMatchObject({code: 4, stderr: expect.stringContaining('saved as failed')});
		expect(result.stderr).not.toContain('No such session');
		expect(outboxOf(cli)).toMatchObject([{state: 'failed'}]);
	});

	test.each([
		['refused', 1, json({error: 'too long'}, 400)],
		['for a session that is gone', 4, json({}, 404)],
	])('that was %s exits with %i, is kept as failed, and retried by the same send', async (_, code, reply) => {
		const {cli, server, env} = await setUp(json(noMessages));
		await cli.run(['sessions', 'add', 's-1'], {env});
		server.answer(reply, json({messageId: 'm-1', status: 'running'}));
		const result = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(result).toMatchObject({code, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).toContain('saved as failed');
		expect(outboxOf(cli)).toMatchObject([{state: 'failed'}]);
		const again = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(again).toMatchObject({
			code: 0,
			stdout: 'm-1\n',
			stderr: expect.stringContaining('not duplicated'),
		});
		expect(outboxOf(cli)).toMatchObject([{state: 'accepted'}]);
	});

	test.each([
		['unauthorized', 3, json({}, 401)],
		['forbidden', 3, json({}, 403)],
	])(
		'that was %s exits with %i and stays queued; the next send takes it along, in order',
		async (_, code, reply) => {
			const {cli, server, env} = await setUp();
			server.answer(reply);
			const result = await cli.run(['send', 's-1', 'first'], {env});
			expect(result).toMatchObject({code, stdout: ''});
			expect(result.stderr).toMatch(oneLine);
			expect(result.stderr).toContain('The message is saved: the next send');
			expect(outboxOf(cli)).toMatchObject([{state: 'queued'}]);
			server.answer(json({messageId: 'm-1', status: 'running'}), json({messageId: 'm-2', status: 'running'}));
			const next = await cli.run(['send', 's-1', 'second'], {env});
			expect(next).toMatchObject({code: 0, stdout: 'm-2\n', stderr: ''});
			const texts = server.requests.map(({body}) => (body as {text: string}).text);
			expect(texts).toEqual(['first', 'first', 'second']);
		},
	);

	test("that waits isn't duplicated by the same send", async () => {
		const {cli, server, env} = await setUp();
		server.answer(json({}, 401));
		await cli.run(['send', 's-1', 'precious words'], {env});
		server.answer(json({messageId: 'm-1', status: 'running'}));
		const again = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(again).toMatchObject({
			code: 0,
			stdout: 'm-1\n',
			stderr: expect.stringContaining('not duplicated'),
		});
		expect(outboxOf(cli)).toMatchObject([{state: 'accepted'}]);
		expect(server.requests).toHaveLength(2);
	});

	test("that a wrong key couldn't send is reported as belonging to that key's account", async () => {
		const {cli, server, env} = await setUp();
		server.answer(json({}, 401));
		const {stderr} = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(stderr).toMatch(/with a key of the same account/);
	});

	test('waits behind an earlier one that is held, and neither is lost', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(json({}, 403));
		await cli.run(['send', 's-1', 'first'], {env});
		const second = await cli.run(['send', 's-1', 'second'], {env});
		expect(second.code).toBe(3);
		expect(second.stderr).toMatch(oneLine);
		expect(outboxOf(cli)).toMatchObject([{state: 'queued'}, {state: 'queued'}]);
		const texts = () => server.requests.map(({body}) => (body as {text: string}).text);
		expect(new Set(texts())).toEqual(new Set(['first']));
		server.answer(json({messageId: 'm-1', status: 'idle'}), json({messageId: 'm-2', status: 'idle'}));
		expect((await cli.run(['outbox', 'wait'], {env})).code).toBe(0);
		expect(texts().slice(-2)).toEqual(['first', 'second']);
		expect(outboxOf(cli)).toMatchObject([{state: 'accepted'}, {state: 'accepted'}]);
	});

	test('to a session that was just created waits until it is found', async () => {
		const {cli, server, env} = await setUp();
		const session = {
			sessionId: 's-1',
			status: 'idle',
			messageCount: 0,
			createdAt: 1_777_000_000_000,
			updatedAt: 1_777_000_000_000,
		};
		server.answer(json(session, 201), json({}, 404), json({messageId: 'm-1', status: 'running'}));
		await cli.run(['sessions', 'create', '--computer-id', 'c-1'], {env});
		const result = await cli.run(['send', 's-1', 'precious words'], {env});
		expect(result).toMatchObject({code: 0, stdout: 'm-1\n', stderr: ''});
		expect(server.requests).toHaveLength(3);
	});

	test('to a service that is down exits with 6 and is kept', async () => {
		const {cli, server, env} = await setUp();
		await server.close();
		const result = await cli.run(['send', 's-1', 'precious words', '--no-wait'], {env});
		expect(result).toMatchObject({code: 6, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).toContain('The message is saved');
		expect(outboxOf(cli)).toMatchObject([{state: 'queued'}]);
	});

	test('carries its files as base64, and its flags as the contract names them', async () => {
		const {cli, server, env} = await setUp();
		const file = join(cli.home, 'notes.txt');
		const image = join(cli.home, 'dot');
		writeFileSync(file, 'notes');
		writeFileSync(image, tinyPng);
		server.otherwise(json({messageId: 'm-1', status: 'running'}));
		const refused = await cli.run(['send', 's-1', '--image', file, 'text'], {env});
		expect(refused).toMatchObject({code: 1, stdout: '', stderr: expect.stringContaining('is not an image')});
		const result = await cli.run(
			['send', 's-1', '--file', file, '--image', image, '--computer-id', 'c-9', '--', '--text'],
			{env},
		);
		expect(result).toMatchObject({code: 0, stdout: 'm-1\n', stderr: ''});
		const data = Buffer.from('notes').toString('base64');
		expect(server.requests.map(({body}) => body)).toEqual([
			{
				text: '--text',
				images: [{data: tinyPng.toString('base64')}],
				files: [{name: 'notes.txt', path: 'notes.txt', data, parsedData: 'notes'}],
				computerId: 'c-9',
			},
		]);
		await cli.run(['send', 's-1', 'look', '--file', file, '--send-paths'], {env});
		expect(server.requests.at(-1)?.body).toMatchObject({files: [{name: 'notes.txt', path: file}]});
	});
});

describe('creating', () => {
	test('a computer whose answer is lost exits with 5 and says that it may exist', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(resetAfter(0, ''));
		const args = ['computers', 'create', '--name', 'n', '--remote-user', 'u'];
		const result = await cli.run(args, {env});
		expect(result.code).toBe(5);
		expect(result.stderr).toContain('may exist');
		expect(server.requests).toHaveLength(1);
	});

	test('sends the flags that were given and nothing else', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(json({id: 'c-1', name: 'n', providerType: 'e2b', createdAt: 1_777_000_000_000}, 201));
		const args = ['--name', 'n', '--remote-user', 'u', '--provider', 'e2b', '--auto-install-deps'];
		const repos = ['--repo', 'https://a.example/r', '--repo', 'https://b.example/r'];
		const result = await cli.run(['computers', 'create', '--json', ...args, ...repos], {env});
		expect(server.requests[0]?.body).toEqual({
			name: 'n',
			remoteUser: 'u',
			provider: 'e2b',
			repos: ['https://a.example/r', 'https://b.example/r'],
			autoInstallDeps: true,
		});
		expect(jsonLines(result.stdout)).toMatchObject([{id: 'c-1', quarterdeck: {origin: 'created'}}]);
	});
});

describe('a change whose answer is lost exits with 5 and says what to do', () => {
	test.each([
		[['computers', 'update', 'c-1', '--name', 'n'], /may have been updated: .*computers get c-1/],
		[['sessions', 'update', 's-1', '--model', 'm'], /may have been updated: .*sessions get s-1/],
		[['computers', 'install-deps', 'c-1'], /The install may be running: .*computers get/],
	])('%j', async (args, advice) => {
		const {cli, server, env} = await setUp();
		server.otherwise(resetAfter(0, ''));
		const {code, stdout, stderr} = await cli.run(args, {env});
		expect({code, stdout}).toEqual({code: 5, stdout: ''});
		expect(stderr).toMatch(oneLine);
		expect(stderr).toMatch(advice);
	});

	test('but a read of a session, which changes nothing, fails', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(resetAfter(0, ''));
		expect((await cli.run(['sessions', 'get', 's-1'], {env})).code).toBe(1);
	});
});

test.each([
	[['sesions', 'list'], 'unknown command sesions (did you mean sessions?)'],
	[['sessions', 'craete'], '(did you mean sessions create?)'],
	[['frobnicate'], 'unknown command frobnicate: see'],
])('%j suggests the nearest command, if one is near', async (words, told) => {
	const {cli, env} = await setUp();
	expect((await cli.run(words, {env})).stderr).toContain(told);
});

test('a command that lacks several flags names all of them', async () => {
	const {cli, env} = await setUp();
	const {stderr} = await cli.run(['computers', 'create'], {env});
	expect(stderr).toContain('--name and --remote-user are missing: see');
	const one = await cli.run(['computers', 'create', '--name', 'n'], {env});
	expect(one.stderr).toContain('--remote-user is missing: see');
});

describe('wrong usage exits with 2 and sends nothing', () => {
	test.each([
		['an empty id', ['sessions', 'update', '', '--model', 'm']],
		[
			'an agent at a service without agents',
			['sessions', 'create', '--computer-id', 'c-1', '--agent', 'claude'],
		],
		['a blank text', ['send', 's-1', ' \n ']],
		['to wait and not to wait', ['send', 's-1', 'words', '--wait', '--no-wait']],
		['nothing to change', ['computers', 'update', 'c-1']],
		['a session id that no path can hold', ['sessions', 'add', '..']],
		['to watch such an id', ['sessions', 'watch', '..']],
		['to wait for such an id', ['sessions', 'wait', '..', '--timeout', '20']],
	])('%s', async (_, args) => {
		const {cli, server, env} = await setUp();
		const result = await cli.run(args, {env});
		expect(result).toMatchObject({code: 2, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(server.requests).toEqual([]);
	});
});

test.each([
	['users', 402, {}, /asks for payment .*plan and credits/],
	['users', 403, {}, /not allowed .*Use a key that is/],
	['users', 403, {error: 'this role may not'}, /not allowed .*Ask a manager or owner/],
	['usage activity', 403, {}, /not allowed .*Ask a manager or owner/],
])('%s with %i says what may help', async (command, status, body, said) => {
	const {cli, env} = await setUp(json(body, status));
	const result = await cli.run(command.split(' '), {env});
	expect(result).toMatchObject({code: 3, stderr: expect.stringMatching(said)});
});

test("stdin that isn't text is refused, not sent as something else", async () => {
	const {cli, server, env} = await setUp();
	const result = await cli.run(['send', 's-1', '-'], {env, input: Buffer.from([0x68, 0x69, 0xff, 0xfe])});
	expect(result).toMatchObject({code: 2, stdout: '', stderr: expect.stringContaining('--file')});
	expect(result.stderr).toMatch(oneLine);
	expect(server.requests).toEqual([]);
});

test('a message on stdin is sent without what other systems add to its lines', async () => {
	const {cli, server, env} = await setUp(json({messageId: 'm-1', status: 'pending'}));
	const result = await cli.run(['send', 's-1', '-'], {env, input: '\ufeffa\r\nb\r\n'});
	expect(result).toMatchObject({code: 0, stderr: ''});
	expect(server.requests.at(-1)?.body).toEqual({text: 'a\nb'});
});

test('a message of several words without quotes says how to send it', async () => {
	const result = await commandsAt(temporaryFolder()).run(['send', 's-1', 'echo', 'three', 'four']);
	expect(result).toMatchObject({code: 2, stdout: ''});
	expect(result.stderr).toMatch(/wrong number of arguments\. Quote the message, or send it on stdin/);
	expect(result.stderr).toContain('quarterdeck send SESSION TEXT');
});

describe('the set-up', () => {
	test.each([
		['no address', {QUARTERDECK_BASE_URL: 'acme'}],
		['no key', {QUARTERDECK_BASE_URL: 'https://host.example'}],
		['nothing at all', {}],
		['a profile nobody made', {QUARTERDECK_PROFILE: 'nobody'}],
	])('%s exits with 2 and one line', async (_, env) => {
		const cli = commandsAt(temporaryFolder());
		const result = await cli.run(['computers', 'get', 'c-1'], {env});
		expect(result).toMatchObject({code: 2, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
	});

	test('a port in use is reported, and the service leaves nothing behind', async () => {
		const cli = commandsAt(temporaryFolder());
		const taken = createServer().listen(0, '127.0.0.1');
		onTestFinished(() => void taken.close());
		await new Promise(resolve => taken.once('listening', resolve));
		const {port} = taken.address() as {port: number};
		const result = await cli.run(['serve', '--port', `${port}`]);
		expect(result).toMatchObject({code: 1, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).toContain(`${port}`);
		expect(result.stderr).toContain('or 0 for any free one');
		const free = cli.start(['serve', '--port', '0']);
		expect(await free.until(/key file .*\n/)).toMatch(/http:\/\/127\.0\.0\.1:[1-9]/);
		const keyFile = /key file +(.*)/.exec(free.stdout)?.[1] ?? '';
		expect(statSync(keyFile).mode & 0o777).toBe(0o600);
		expect(free.stdout).not.toContain(readFileSync(keyFile, 'utf8'));
		free.interrupt();
		expect(await free.ended).toMatchObject({code: 0, stderr: ''});
		expect(existsSync(keyFile)).toBe(false);
	});

	test("folders that can't be written are reported in one line, and neither stop reads nor hang commands", async () => {
		const {cli, server, env} = await setUp();
		const file = join(cli.home, 'a-file');
		writeFileSync(file, '');
		server.otherwise(json({id: 'c-1', name: 'n', providerType: 'byom', createdAt: 1_777_000_000_000}));
		for (const unwritable of [
			{...env, XDG_STATE_HOME: join(file, 'state')},
			{...env, XDG_STATE_HOME: '/proc/1', XDG_CACHE_HOME: '/proc/1'},
		]) {
			const run = (...args: string[]) => cli.run(args, {env: unwritable});
			const read = await run('computers', 'get', 'c-1', '--json');
			expect(read.code).toBe(0);
			expect(jsonLines(read.stdout)).toMatchObject([{id: 'c-1'}]);
			expect(read.stderr).toMatch(oneLine);
			expect((await run('computers', 'add', 'c-1')).code).toBe(1);
			expect((await run('--local', 'computers', 'get', 'c-1')).code).toBe(1);
		}
	});

	test.each(['computers', 'sessions'])('unreadable %s are an error, not an empty list', async name => {
		const {cli, env, server} = await setUp();
		const file = join(cli.home, 'a-file');
		writeFileSync(file, '');
		mkdirSync(await accountFileFor(cli.stateFolder, {url: server.url, key}), {recursive: true});
		for (const place of [env, {...env, XDG_STATE_HOME: join(file, 'state')}]) {
			const result = await cli.run([name, 'list'], {env: place});
			expect(result).toMatchObject({code: 1, stdout: ''});
			expect(result.stderr).toMatch(/^quarterdeck: saved data can't be read: [^\n]+\n$/m);
		}
	});

	test('a session that --refresh cannot read is named, and makes the list incomplete', async () => {
		const {cli, env} = await setUp(json({error: 'no'}, 422));
		await cli.run(['sessions', 'add', 's-1'], {env});
		const {code, stdout, stderr} = await cli.run(['sessions', 'list', '--refresh', '--json'], {env});
		expect([code, jsonLines(stdout).length]).toEqual([1, 1]);
		expect(stderr).toMatch(/^quarterdeck: s-1: /m);
	});

	test("a newer program's database is no empty one", async () => {
		const {cli, env, server} = await setUp(json({error: 'no'}, 422));
		await cli.run(['sessions', 'add', 's-1'], {env});
		await cli.run(['send', 's-1', 'words'], {env});
		const file = await accountFileFor(cli.stateFolder, {url: server.url, key});
		const database = new DatabaseSync(file);
		database.exec('PRAGMA user_version = 2');
		database.close();
		const why = new RegExp(`${file} can't be used`);
		for (const args of [
			['outbox', 'list'],
			['outbox', 'wait'],
			['search', 'words'],
			['storage'],
			['outbox', 'list', '--json'],
		]) {
			const {code, stdout, stderr} = await cli.run(args, {env});
			expect({args, code, stdout}).toEqual({args, code: 1, stdout: ''});
			expect(stderr).toMatch(why);
		}
		const sessions = await cli.run(['sessions', 'list', '--json'], {env});
		expect(sessions).toMatchObject({code: 1, stderr: expect.stringMatching(why)});
		expect(jsonLines(sessions.stdout)).toMatchObject([{sessionId: 's-1'}]);
		expect(await cli.run(['sessions', 'add', 's-2'], {env})).toMatchObject({
			code: 1,
			stdout: '',
			stderr: expect.stringContaining('Update Quarterdeck'),
		});
		expect((await cli.run(['doctor'], {env})).stdout).toContain('database: update Quarterdeck');
		expect((await cli.run(['computers', 'list'], {env})).code).toBe(1);
		const accounts = await cli.run(['accounts', 'list', '--json'], {env});
		expect(accounts).toMatchObject({code: 1, stderr: expect.stringMatching(why)});
		const [account] = jsonLines(accounts.stdout);
		expect(account?.quarterdeck).not.toHaveProperty('unsent');
		expect((await cli.run(['accounts', 'list'], {env})).stdout).toMatch(/ \? +\? +\? /);
		const forget = ['accounts', 'forget', String(account?.id), '--yes'];
		expect((await cli.run(forget, {env})).code).toBe(1);
		expect(existsSync(file)).toBe(true);
	});

	test('the doctor finds what is wrong and says what to do', async () => {
		const {cli, server, env} = await setUp();
		server.otherwise(json({}, 401));
		const result = await cli.run(['doctor', '--json'], {env});
		expect(result.code).toBe(1);
		const {checks} = JSON.parse(result.stdout);
		expect(checks).toContainEqual(
			expect.objectContaining({name: 'service', state: 'problem', advice: expect.any(String)}),
		);
		expect(result.stdout).not.toContain(key);
	});
});
