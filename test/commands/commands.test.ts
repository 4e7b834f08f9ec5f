import {once} from 'node:events';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {accountsIn, onlyAccountFile} from '../support/account-files.ts';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt, servedCommands} from '../support/commands.ts';
import {createRepository} from '../support/git-repository.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {json, noMessages} from '../support/replies.ts';
import type {CommandRun} from '../support/run-inside.ts';
import {agentLine, toolLines, userLine} from '../support/transcripts.ts';

/** A home with a service running in it, ended with the test. */
async function serving(): Promise<{cli: Commands; service: CommandRun}> {
	const cli = commandsAt(temporaryFolder());
	const service = cli.start(['serve', '--json']);
	await service.until(/\n/);
	return {cli, service};
}

describe('the main job without a screen', () => {
	test('creates a computer and a session, sends a message, and prints the answer', async () => {
		const repository = createRepository({'README.md': 'hello'});
		const {cli, service} = await serving();
		const local = (...args: string[]) => cli.run(['--local', '--json', ...args]);
		const created = await local(
			...['computers', 'create', '--name', 'box', '--remote-user', 'me', '--repo', repository.url],
		);
		expect(created).toMatchObject({code: 0, stderr: ''});
		const computer = jsonLines(created.stdout)[0];
		expect(computer).toMatchObject({name: 'box', quarterdeck: {origin: 'created'}});

		const watched = await local('computers', 'watch', `${computer?.id}`);
		expect(watched).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(watched.stdout).at(-1)).toMatchObject({id: computer?.id, status: 'active'});

		// So is this machine, which no command has read before.
		const all = jsonLines((await local('computers', 'list')).stdout);
		expect(all.map(({status}) => status)).toEqual(['active', 'active']);

		const session = jsonLines(
			(await local('sessions', 'create', '--computer-id', `${computer?.id}`)).stdout,
		)[0];
		const id = `${session?.sessionId}`;
		expect(session).toMatchObject({
			computerId: computer?.id,
			quarterdeck: {origin: 'created', status: {value: 'idle', source: 'created'}},
		});

		const answered = await cli.run(['--local', 'send', id, '-', '--wait'], {
			input: 'echo "the answer is $((6 * 7))"\n',
		});
		expect(answered).toMatchObject({code: 0, stderr: '', stdout: 'the answer is 42\n'});

		const listed = jsonLines((await local('messages', id)).stdout);
		expect(listed.map(message => (message.quarterdeck as {role: string}).role)).toEqual([
			'user',
			'assistant',
		]);
		const own = jsonLines((await local('messages', id, '--role', 'user', '--limit', '1')).stdout);
		expect(own.map(message => message.id)).toEqual([listed[0]?.id]);

		const known = jsonLines((await local('sessions', 'list')).stdout);
		expect(known).toMatchObject([
			{quarterdeck: {origin: 'install-step', state: 'idle'}},
			{sessionId: id, quarterdeck: {status: {value: 'idle'}}},
		]);
		expect(known[1]?.quarterdeck).not.toHaveProperty('activity.answer');
		expect(jsonLines((await local('readiness', '--latest')).stdout)).toMatchObject([
			{repoUrl: repository.url},
		]);
		expect(jsonLines((await local('users')).stdout)).toHaveLength(1);
		expect(await local('usage', 'activity')).toMatchObject({
			code: 0,
			stdout: '',
			stderr: expect.stringContaining('unknown, not zero'),
		});
		expect(await local('controls')).toMatchObject({
			code: 0,
			stdout: '',
			stderr: expect.stringContaining('no organization'),
		});
		service.interrupt();
		expect((await service.ended).code).toBe(0);
	});

	test('a reader that goes away ends a command quietly', async () => {
		const {cli, env} = await servedCommands(
			json({id: 'c-1', name: 'box', providerType: 'byom', createdAt: 1_777_000_000_000}),
		);
		const unread = await cli.run(['--json', 'computers', 'add', 'c-1'], {env, outputFails: 'EPIPE'});
		expect(unread).toEqual({code: 0, stdout: '', stderr: ''});
		expect((await cli.run(['computers', 'list'], {env})).stdout).toContain('c-1');
	});
});

describe('the registry', () => {
	test.each(['computers', 'sessions'])('%s add needs an id', async group => {
		const cli = commandsAt(temporaryFolder());
		expect(await cli.run(['--local', group, 'add', ' '])).toMatchObject({code: 2, stdout: ''});
		expect((await cli.run(['--local', group, 'list', '--json'])).stdout).toBe('');
	});

	test('the beginning of a known id is not enough to forget it', async () => {
		const {cli, env} = await servedCommands(json(noMessages));
		const run = (...words: readonly string[]) => cli.run(words, {env});
		await run('sessions', 'add', 'first-1');
		expect(await run('sessions', 'forget', 'firs')).toMatchObject({
			code: 4,
			stderr: expect.stringContaining('unknown session firs: see quarterdeck sessions list'),
		});
		expect((await run('sessions', 'list', '--json')).stdout).toContain('first-1');
	});

	test('a command that finds nothing and has no id to look up creates no account', async () => {
		const {cli, server, env} = await servedCommands(json({reports: []}));
		const result = await cli.run(['readiness', '--repo', 'nowhere', '--latest'], {env});
		expect(result).toMatchObject({code: 4, stdout: ''});
		expect(accountsIn(cli.stateFolder)).toEqual([]);
		expect(server.requests).toHaveLength(1);
	});

	test("an id that the service doesn't have is not added", async () => {
		const {cli, env} = await servedCommands(json({message: 'no such id'}, 404));
		await cli.start(['serve']).until(/socket/);
		for (const [group, place] of [
			['computers', []],
			['sessions', []],
			['computers', ['--local']],
			['sessions', ['--local']],
		] as const) {
			const run = (...words: readonly string[]) => cli.run([group, ...words, ...place], {env});
			expect(await run('add', 'nope')).toMatchObject({
				code: 4,
				stdout: '',
				stderr: expect.stringContaining('Not found (404)'),
			});
			expect((await run('list', '--json')).stdout).not.toContain('nope');
		}
	});

	test('a computer is added with what was read of it', async () => {
		const computer = {id: 'c-1', name: 'box', status: 'active', providerType: 'byom'};
		const {cli, env} = await servedCommands(json(computer));
		expect((await cli.run(['computers', 'add', 'c-1'], {env})).stdout).toMatch(/c-1 +✓ active +box/);
		const list = await cli.run(['computers', 'list', '--json'], {env});
		expect(jsonLines(list.stdout)).toMatchObject([
			{...computer, quarterdeck: {fetchedAt: expect.any(Number)}},
		]);
		expect((await cli.run(['computers', 'add', 'c-2', 'c-3'], {env})).stdout).toMatch(/c-2 [\s\S]*c-3 /);
	});

	test('an id is added and forgotten while the service is down; an unknown one is not found', async () => {
		const {cli, server, env} = await servedCommands();
		await server.close();
		const run = (...words: readonly string[]) => cli.run(words, {env});
		const added = await run('--json', 'sessions', 'add', 's-1', '--computer-id', 'c-1');
		expect(jsonLines(added.stdout)).toMatchObject([
			{sessionId: 's-1', quarterdeck: {origin: 'added', computerId: 'c-1'}},
		]);
		expect(await run('computers', 'add', 'c-1')).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('quarterdeck: not checked whether the service has c-1: '),
		});
		expect((await run('computers', 'list')).stdout).toMatch(/c-1/);
		expect((await run('sessions', 'forget', 's-1')).code).toBe(0);
		expect((await run('sessions', 'list', '--json')).stdout).toBe('');
		expect(await run('computers', 'forget', 'c-2')).toMatchObject({
			code: 4,
			stderr: 'quarterdeck: unknown computer c-2: see quarterdeck computers list\n',
		});
	});
});

test('everything stored is private to its owner', async () => {
	const cli = commandsAt(temporaryFolder());
	await cli.run(['--local', 'computers', 'add', 'c-1']);
	expect(statSync(cli.stateFolder).mode & 0o777).toBe(0o700);
	expect(statSync(onlyAccountFile(cli.stateFolder)).mode & 0o777).toBe(0o600);
});

describe('hook events', () => {
	const envelope = (id: string, event: string, data: object) =>
		`${JSON.stringify({v: 1, id, ts: Date.now(), client: 'claude', event, pid: 1, agentPid: 1, data})}\n`;
	const stop = {session_id: 's-hook', hook_event_name: 'Stop', cwd: '/work'};

	/** Leaves a Stop event in the spool, as a hook does that finds no program running. */
	function spoolStop(cli: Commands, data: object, number = 1): string {
		const spool = join(cli.stateFolder, 'spool');
		mkdirSync(spool, {recursive: true, mode: 0o700});
		chmodSync(cli.stateFolder, 0o700);
		const id = `0f0e0d0c-0000-4000-8000-00000000000${number}`;
		const line = envelope(id, 'Stop', data);
		const name = `${String(Date.now() + number).padStart(15, '0')}-${id}-${line.length}.json`;
		writeFileSync(join(spool, name), line, {mode: 0o600});
		return spool;
	}

	test('are listed newest last, as many as --limit allows', async () => {
		const cli = commandsAt(temporaryFolder());
		for (const number of [1, 2, 3]) spoolStop(cli, {...stop, session_id: `s-${number}`}, number);
		const sessionsOf = (stdout: string) =>
			jsonLines(stdout).map(({data}) => (data as {session_id: string}).session_id);
		expect(sessionsOf((await cli.run(['events', '--json'])).stdout)).toEqual(['s-1', 's-2', 's-3']);
		const two = await cli.run(['events', '--json', '--limit', '2']);
		expect([two.code, sessionsOf(two.stdout)]).toEqual([0, ['s-2', 's-3']]);
		expect(await cli.run(['events', '--limit', '0'])).toMatchObject({code: 2, stdout: ''});
	});

	test('come from the spool once, and make their session known', async () => {
		const cli = commandsAt(temporaryFolder());
		const spool = spoolStop(cli, stop);
		for (const _ of [1, 2]) {
			const listed = await cli.run(['events', '--json']);
			expect(jsonLines(listed.stdout)).toMatchObject([
				{event: 'Stop', client: 'claude', data: stop, quarterdeck: {delivery: 'spool'}},
			]);
		}
		expect(readdirSync(spool)).toEqual([]);
		const known = jsonLines((await cli.run(['sessions', 'list', '--json'])).stdout);
		expect(known).toMatchObject([{sessionId: 's-hook', quarterdeck: {origin: 'hook'}}]);
		await cli.start(['serve']).until(/socket/);
		const added = await cli.run(['--local', 'sessions', 'add', 's-hook']);
		expect(added).toMatchObject({code: 0, stderr: ''});
	});

	test('lead to the transcript of their session, which is printed, searched and followed', async () => {
		const {cli, env} = await servedCommands(json({message: 'no such session'}, 404));
		const path = join(cli.home, '.claude/projects/-work/s-hook.jsonl');
		mkdirSync(dirname(path), {recursive: true});
		const call = toolLines('t', 'Bash', {command: 'ls'}, 'ok');
		writeFileSync(path, `${userLine('question 17')}${agentLine('answer 17')}${call}half a line\n`);
		spoolStop(cli, {...stop, transcript_path: path});
		expect((await cli.run(['events'], {env})).stdout).toContain('Stop');
		const printed = await cli.run(['messages', 's-hook', '--all', '--json'], {env});
		expect([printed.code, printed.stderr]).toEqual([1, expect.stringContaining('1 item could not be read')]);
		expect(jsonLines(printed.stdout)).toHaveLength(4);
		const found = await cli.run(['search', 'question', '17'], {env});
		expect(found).toMatchObject({code: 0, stdout: expect.stringContaining('question 17')});
		const tools = await cli.run(['messages', 's-hook', '--role', 'tool'], {env});
		expect(tools.stdout).toContain('ok');
		expect(tools.stdout).not.toContain('answer');
		const following = cli.start(['messages', 's-hook', '--follow'], {env});
		await following.until(/answer 17/);
		appendFileSync(path, agentLine('followed'));
		await following.until(/followed/);
	});

	test('are received by the socket of --follow, and acknowledged', async () => {
		const cli = commandsAt(temporaryFolder());
		const following = cli.start(['events', '--follow']);
		const runtime = join(cli.home, 'run/quarterdeck');
		const sockets = () => (existsSync(runtime) ? readdirSync(runtime) : []);
		await expect.poll(() => sockets().length).toBe(1);
		const id = '0f0e0d0c-0000-4000-8000-000000000002';
		const socket = await heardAt(join(runtime, sockets()[0] as string));
		socket.write(envelope(id, 'Stop', stop));
		const [answer] = await once(socket, 'data');
		expect(JSON.parse(`${answer}`)).toEqual({ok: id});
		socket.destroy();
		await following.until(/claude {2}Stop {2}s-hook/);
		following.interrupt();
		expect((await following.ended).code).toBe(130);
		expect(sockets()).toEqual([]);
	});
});

/** A socket's file is there a moment before anyone listens at it. */
async function heardAt(file: string): Promise<Socket> {
	for (;;) {
		const socket = connect(file);
		const isHeard = await once(socket, 'connect').then(
			() => true,
			() => false,
		);
		if (isHeard) return socket;
	}
}
