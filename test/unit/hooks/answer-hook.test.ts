import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {connect, createServer, type Socket} from 'node:net';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';
import {askDigest, sign, signAnswer} from '../../../hooks/ask-wire.ts';
import {formatSocketName} from '../../../hooks/sockets.ts';
import {answerRunning, runningRequests} from '../../../src/commands/sessions/hook-requests.ts';
import type {HookEvent} from '../../../src/domain/sessions/signal.ts';
import {buildHook} from '../../support/built-hook.ts';
import {fakeClock, settle} from '../../support/fake-clock.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {installedCommand} from '../../support/hook-install.ts';
import {times} from '../../support/random-cases.ts';
import {optionsNamed} from '../../support/request-options.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';
import {
	answerKey,
	openRequestsIn,
	permissionPayload,
	startHook,
	writeAnswerKey,
} from '../../support/waiting-hook.ts';

const silence = {code: 0, signal: null, output: '', errors: ''};
const suggestions = [
	{
		type: 'addRules',
		rules: [{toolName: 'Bash', ruleContent: 'touch:*'}],
		behavior: 'allow',
		destination: 'session',
	},
	{type: 'setMode', mode: 'acceptEdits', destination: 'session'},
];
const decided = (decision: object) => ({
	...silence,
	output: `${JSON.stringify({hookSpecificOutput: {hookEventName: 'PermissionRequest', decision}})}\n`,
});

let built: Awaited<ReturnType<typeof buildHook>>;
beforeAll(async () => {
	built = await buildHook({isPatient: true, name: 'answer-hook'});
});
afterAll(() => built.remove());

const commandOf = (agentPid = process.pid, wait = 50) => [
	...[process.execPath, built.file, '--client', 'claude', '--wait', `${wait}`],
	...['--parent-pid', `${agentPid}`],
];
const start = ({env}: HookFolders, payload = permissionPayload(), command = commandOf()) =>
	startHook(command, env, payload);

/** The command as it is installed. */
const installedAnswers = ({root}: HookFolders) =>
	installedCommand(root, {node: process.execPath, hook: built.file}, {waitSeconds: 50});

/** A hook that waits for the answer of one program. */
async function asked(payload = permissionPayload(), options: Parameters<typeof openRequestsIn>[1] = {}) {
	const folders = temporaryHookFolders();
	const {program, desk} = await openRequestsIn(folders, options);
	const hook = start(folders, payload);
	await expect.poll(() => program.requests).toHaveLength(1);
	const [request] = program.requests;
	return {folders, program, desk, hook, request, id: request?.id ?? ''};
}

test('requests arrive again after the socket was removed', async () => {
	const folders = temporaryHookFolders();
	const {program, desk} = await openRequestsIn(folders);
	for (const name of readdirSync(folders.runtime)) rmSync(join(folders.runtime, name));
	await Promise.all([desk.keepListening(), desk.keepListening()]);
	expect(readdirSync(folders.runtime)).toHaveLength(1);
	start(folders);
	await expect.poll(() => program.requests).toHaveLength(1);
});

describe('an answer', () => {
	test.each([
		['always', {option: 'always'}, {behavior: 'allow', updatedPermissions: [suggestions[0]]}],
		['mode', {option: 'mode'}, {behavior: 'allow', updatedPermissions: [suggestions[1]]}],
		['no with words', {option: 'no', words: 'not "today"\n'}, {behavior: 'deny', message: 'not "today"\n'}],
	] as const)('%s is printed for the client, and nothing else', async (_, answer, decision) => {
		const {desk, hook, id, program} = await asked(permissionPayload({permission_suggestions: suggestions}));
		expect(await desk.answer(id, answer)).toBe(true);
		expect(await hook.end).toEqual(decided(decision));
		expect(program).toMatchObject({requests: [], answered: [`${id} ${answer.option}`]});
	});

	test('counts only once', async () => {
		const {desk, hook, id} = await asked();
		const answers = await Promise.all([desk.answer(id, {option: 'no'}), desk.answer(id, {option: 'once'})]);
		expect(answers).toEqual([true, false]);
		expect(await hook.end).toEqual(decided({behavior: 'deny', message: 'The user denied this.'}));
		expect(await desk.answer(id, {option: 'once'})).toBe(false);
	});

	test('from one of two programs counts, and the other learns that it is over', async () => {
		const {folders, desk, hook, id, program} = await asked();
		const other = await openRequestsIn(folders);
		const second = start(folders, permissionPayload({session_id: 's2'}));
		await expect.poll(() => other.program.requests).toHaveLength(1);
		const both = other.program.requests[0]?.id ?? '';
		const answers = await Promise.all([
			desk.answer(both, {option: 'once'}),
			other.desk.answer(both, {option: 'once'}),
		]);
		expect(answers.toSorted()).toEqual([false, true]);
		expect(await second.end).toEqual(decided({behavior: 'allow'}));
		await expect.poll(() => [program.requests.length, other.program.requests.length]).toEqual([1, 0]);
		expect(await desk.answer(id, {option: 'once'})).toBe(true);
		await hook.end;
	});

	test('"always" is accepted only if the client suggests it', async () => {
		const {desk, hook, id, request} = await asked();
		expect(request?.options).toEqual(optionsNamed('once', 'no'));
		expect(await desk.answer(id, {option: 'always'})).toBe(false);
		expect(await desk.answer(id, {option: 'once'})).toBe(true);
		expect(await hook.end).toEqual(decided({behavior: 'allow'}));
	});
});

describe('the hook exits silently with 0', () => {
	test('when no program runs, and reports its event without the request', async () => {
		const folders = temporaryHookFolders();
		expect(await start(folders).end).toEqual(silence);
		const [event, ...more] = folders.spooled();
		expect(more).toEqual([]);
		expect(event).toMatchObject({event: 'PermissionRequest', data: {session_id: 's1'}});
		expect(JSON.stringify(event)).not.toContain('made-by-tool');
	});

	test('at its deadline', async () => {
		const folders = temporaryHookFolders();
		const {program, desk} = await openRequestsIn(folders);
		const hook = start(folders, permissionPayload(), commandOf(process.pid, 2));
		await expect.poll(() => program.requests).toHaveLength(1);
		const id = program.requests[0]?.id ?? '';
		expect(await hook.end).toEqual(silence);
		await expect.poll(() => program.requests).toEqual([]);
		expect(await desk.answer(id, {option: 'once'})).toBe(false);
	});

	test('when its program ends', async () => {
		const {desk, hook, program} = await asked();
		await desk.stop();
		expect(await hook.end).toEqual(silence);
		expect(program.answered).toEqual([]);
	});

	test('when its client is killed', async () => {
		const folders = temporaryHookFolders();
		const {program} = await openRequestsIn(folders);
		const client = spawn('sleep', ['60'], {stdio: 'ignore', timeout: 60_000});
		onTestFinished(() => void client.kill('SIGKILL'));
		const hook = start(folders, permissionPayload(), commandOf(client.pid));
		await expect.poll(() => program.requests).toHaveLength(1);
		client.kill('SIGKILL');
		expect(await hook.end).toEqual(silence);
		await expect.poll(() => program.requests).toEqual([]);
	});

	test.each([
		['a test event', {quarterdeck_test: true}],
		['another event', {hook_event_name: 'Stop'}],
		[
			'a question, whose answer is more than a yes',
			{tool_name: 'AskUserQuestion', tool_input: {questions: []}},
		],
		['a request without a tool', {tool_name: undefined}],
		['a request without input', {tool_input: 'rm'}],
		['a request without a session', {session_id: undefined}],
	])('for %s', async (_, more) => {
		const folders = temporaryHookFolders();
		const {program} = await openRequestsIn(folders);
		expect(await start(folders, permissionPayload(more)).end).toEqual(silence);
		expect(program.requests).toEqual([]);
	});

	test('for broken input', async () => {
		const folders = temporaryHookFolders();
		const {program} = await openRequestsIn(folders);
		expect(await start(folders, permissionPayload().slice(0, -1)).end).toEqual(silence);
		expect(program.requests).toEqual([]);
	});

	test('for input over 1 MiB, which would be cut', async () => {
		const folders = temporaryHookFolders();
		await openRequestsIn(folders);
		const payload = permissionPayload({tool_input: {command: 'x'.repeat(1_100_000)}});
		expect(await start(folders, payload).end).toEqual(silence);
	});
});

describe('a later event', () => {
	const eventOf = (event: string, ts: number, data: object = {}): HookEvent => ({
		v: 1,
		id: 'some-event',
		ts,
		client: 'claude',
		event,
		pid: 1,
		agentPid: 1,
		data: {session_id: 's1', ...data},
		receivedAt: ts,
		delivery: 'socket',
	});

	test('of the session ends the wait', async () => {
		const {desk, hook, request, program, folders} = await asked();
		desk.received(eventOf('Stop', (request?.createdAt ?? 0) + 1));
		expect(await hook.end).toEqual(silence);
		const [name = ''] = readdirSync(folders.runtime);
		for (const [event, data] of [
			['StopFailure', {}],
			['UserPromptSubmit', {}],
			['SessionEnd', {reason: 'other'}],
			['SessionStart', {}],
			['Interrupt', {}],
			['Notification', {notification_type: 'idle_prompt'}],
		] as const) {
			await expect.poll(() => program.requests).toEqual([]);
			const asking = connect(join(folders.runtime, name));
			const closed = once(asking.resume(), 'close');
			const ask = {v: 1, id: event, ts: 1, tool: 'x', input: {}, data: {session_id: 's1'}};
			asking.write(`${JSON.stringify(ask)}\n`);
			await expect.poll(() => program.requests).toHaveLength(1);
			desk.received(eventOf(event, (program.requests[0]?.createdAt ?? 0) + 1, data));
			await closed;
		}
	});

	test('of another kind or session, or an earlier one, changes nothing', async () => {
		const {desk, hook, request, id} = await asked();
		const at = (request?.createdAt ?? 0) + 1;
		desk.received(eventOf('Stop', at, {session_id: 's2'}));
		desk.received(eventOf('Stop', at - 2));
		desk.received(eventOf('Stop', at, {agent_id: 'a subagent'}));
		desk.received(eventOf('SubagentStop', at));
		desk.received(eventOf('PermissionRequest', at));
		desk.received(eventOf('Notification', at, {notification_type: 'permission_prompt'}));
		expect(await desk.answer(id, {option: 'once'})).toBe(true);
		expect(await hook.end).toEqual(decided({behavior: 'allow'}));
	});
});

describe('a hook that is killed', () => {
	test.each(['SIGTERM', 'SIGKILL'] as const)(
		'by %s prints nothing, and its request is gone',
		async signal => {
			const {desk, hook, id, program} = await asked();
			hook.kill(signal);
			expect(await hook.end).toMatchObject({output: '', errors: ''});
			await expect.poll(() => program.requests).toEqual([]);
			expect(await desk.answer(id, {option: 'once'})).toBe(false);
		},
	);

	test('during an answer takes it only if it was printed in full', async () => {
		for (let round = 0; round < 3 * times; round++) {
			const {desk, hook, id} = await asked();
			const answered = desk.answer(id, {option: 'once'});
			setTimeout(() => hook.kill('SIGKILL'), (round * 7) % 20);
			const [isTaken, end] = await Promise.all([answered, hook.end]);
			expect(['', decided({behavior: 'allow'}).output]).toContain(end.output);
			if (isTaken) expect(end.output).not.toBe('');
		}
	});

	test('at any moment ends together with the installed command', async () => {
		const folders = temporaryHookFolders();
		const {program} = await openRequestsIn(folders);
		const command = installedAnswers(folders);
		for (let round = 0; round < 2 * times; round++) {
			const hook = startHook(['/bin/sh', '-c', command], folders.env, permissionPayload());
			if (round % 2 === 0) await expect.poll(() => program.requests).toHaveLength(1);
			else await new Promise(resolve => setTimeout(resolve, (round * 29) % 110));
			hook.kill('SIGTERM');
			expect(await hook.end).toMatchObject({output: '', errors: ''});
			await expect.poll(() => program.requests).toEqual([]);
		}
	});
});

test('the installed command passes the input to the hook and its decision to the client', async () => {
	const folders = temporaryHookFolders();
	const {program, desk} = await openRequestsIn(folders);
	const command = installedAnswers(folders);
	const env = {...folders.env, NODE_OPTIONS: '--require /nowhere.cjs', NODE_DEBUG: 'net'};
	const hook = startHook(['/bin/sh', '-c', command], env, permissionPayload());
	await expect.poll(() => program.requests).toHaveLength(1);
	const [request] = program.requests;
	expect(request).toMatchObject({agentPid: process.pid, text: 'touch made-by-tool', tool: 'Bash'});
	await desk.answer(request?.id ?? '', {option: 'once'});
	expect(await hook.end).toEqual(decided({behavior: 'allow'}));
});

describe('hostile neighbors', () => {
	/** Something else that listens for requests. Answers what it was sent. */
	async function listen(folder: string, onLine: (socket: Socket, line: string) => void, tag = 'ffff') {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const received: string[] = [];
		const file = join(folder, formatSocketName({startedAt: Date.now(), pid: process.pid, tag}, 'ask'));
		const server = createServer(socket => {
			let text = '';
			socket.on('error', () => {});
			socket.setEncoding('utf8').on('data', part => {
				text += part;
				if (!text.endsWith('\n')) return;
				const line = text;
				text = '';
				received.push(line);
				onLine(socket, line);
			});
		});
		await new Promise<void>(resolve => server.listen(file, resolve));
		onTestFinished(() => void server.close());
		return {file, received};
	}
	const answers =
		(answer: (id: string) => string) =>
		(socket: Socket, line: string): void =>
			// The hook's last line says that it took the answer.
			void (line.includes('taken') || socket.write(answer(askDigest(line))));
	const later = () => Date.now() + 10_000;

	/** An answer, signed with the user's key unless another one is given. */
	const signed = (answer: object, secret = answerKey) => {
		const whole = {allows: true, applies: [], until: later(), answer: '', ...answer};
		return `${JSON.stringify({...whole, signature: signAnswer(secret, whole)})}\n`;
	};

	test.each<[string, readonly ((id: string) => string)[]]>([
		[
			'an answer to something else, or none',
			[
				() => signed({answer: 'another'}),
				() => signed({answer: undefined}),
				() => `${JSON.stringify({behavior: 'allow'})}\n`,
				() => 'allow\n',
				() => 'y'.repeat(1_000_000),
			],
		],
		[
			'one that has expired, never expires, changes what nobody suggested, or has a wrong signature',
			[
				id => signed({answer: id, until: Date.now() - 1}),
				id => signed({answer: id, until: undefined}),
				id => signed({answer: id, applies: [0]}),
				id => signed({answer: id}, 'x'.repeat(43)),
				id => signed({answer: id, allows: false}).replace('false', 'true'),
				id => signed({answer: id}).replace(/,"signature.*/, '}\n'),
			],
		],
	])('who all answer with %s, approve nothing', async (_, forged) => {
		const folders = temporaryHookFolders();
		writeAnswerKey(folders);
		const all = await Promise.all(
			forged.map((answer, index) => listen(folders.runtime, answers(answer), `fff${index}`)),
		);
		expect(await start(folders).end).toEqual(silence);
		expect(all.map(({received}) => received.length)).toEqual(forged.map(() => 1));
	});

	test('a key that others can read, or are the owners of, approves nothing', async () => {
		const folders = temporaryHookFolders();
		const file = writeAnswerKey(folders);
		await listen(
			folders.runtime,
			answers(id => signed({answer: id})),
		);
		chmodSync(file, 0o644);
		expect(await start(folders).end).toEqual(silence);
		chmodSync(file, 0o600);
		expect(await start(folders).end).toEqual(decided({behavior: 'allow'}));
	});

	test("can't have rules of their own printed", async () => {
		const folders = temporaryHookFolders();
		writeAnswerKey(folders);
		const forged = {applies: [0], updatedPermissions: [{type: 'setMode', mode: 'all'}]};
		await listen(
			folders.runtime,
			answers(id => signed({answer: id, ...forged})),
		);
		const end = await start(folders, permissionPayload({permission_suggestions: suggestions})).end;
		expect(end).toEqual(decided({behavior: 'allow', updatedPermissions: [suggestions[0]]}));
	});

	test.runIf(process.getuid?.() === 0)("behind another user's socket are told nothing", async () => {
		const folders = temporaryHookFolders();
		const {file, received} = await listen(folders.runtime, () => {});
		chownSync(file, 12_345, 12_345);
		expect(await start(folders).end).toEqual(silence);
		expect(received).toEqual([]);
	});

	test('in a folder that others may enter, or behind a link, are told nothing', async () => {
		const folders = temporaryHookFolders();
		const {file, received} = await listen(folders.runtime, () => {});
		chmodSync(folders.runtime, 0o755);
		expect(await start(folders).end).toEqual(silence);
		chmodSync(folders.runtime, 0o700);
		const elsewhere = temporaryHookFolders();
		mkdirSync(elsewhere.runtime, {mode: 0o700});
		const [name = ''] = readdirSync(folders.runtime);
		symlinkSync(file, join(elsewhere.runtime, name));
		expect(await start(elsewhere).end).toEqual(silence);
		expect(received).toEqual([]);
	});

	/** Sends a line to the program's socket and answers its reply. */
	async function call(runtime: string, line: string): Promise<string> {
		const name = readdirSync(runtime).find(one => !one.includes('-ffff.')) ?? '';
		return new Promise(resolve => {
			let reply = '';
			const socket = connect(join(runtime, name));
			socket.setTimeout(20_000, () => socket.destroy());
			socket.setEncoding('utf8').on('data', part => {
				reply += part;
			});
			socket.on('error', () => {});
			socket.on('close', () => resolve(reply));
			socket.write(line);
		});
	}
	test('without the key can neither list nor answer requests', async () => {
		const {folders, hook, id, program, desk} = await asked();
		const give = {id, option: 'once'};
		const made = (made: object, secret = answerKey, until = later()) => ({
			call: made,
			until,
			signature: sign(secret, ['call', until, made]),
		});
		for (const line of [
			{list: true},
			{...made({list: true}), signature: undefined},
			{...made({list: true}), call: {give}},
			{...made({give}), until: later() + 1},
			made({give}, 'K'.repeat(43)),
			made({give}, answerKey, Date.now() - 1),
		])
			expect(await call(folders.runtime, `${JSON.stringify(line)}\n`)).toBe('');
		expect(
			await call(folders.runtime, `${JSON.stringify({answer: id, option: 'once', until: later()})}\n`),
		).toBe('');
		expect(await call(folders.runtime, `${JSON.stringify({taken: id})}\n`)).toBe('');
		expect(program).toMatchObject({requests: [{id}], answered: []});
		vi.stubEnv('XDG_RUNTIME_DIR', dirname(folders.runtime));
		const stateFolder = dirname(folders.spool);
		expect(await runningRequests(stateFolder)).toMatchObject([{id, text: 'touch made-by-tool'}]);
		expect(await answerRunning(stateFolder, id, {option: 'no', words: 'no'})).toBe(true);
		expect(await hook.end).toEqual(decided({behavior: 'deny', message: 'no'}));
		expect(await desk.answer(id, {option: 'once'})).toBe(false);
	});

	test('who pass the answer to another request on to a hook approve nothing', async () => {
		const folders = temporaryHookFolders();
		let hookSocket: Socket | undefined;
		const {received} = await listen(folders.runtime, socket => {
			hookSocket = socket;
		});
		const hook = start(folders);
		await expect.poll(() => received).toHaveLength(1);
		const {program, desk} = await openRequestsIn(folders);
		const name = readdirSync(folders.runtime).find(one => !one.includes('-ffff.')) ?? '';
		const asking = connect(join(folders.runtime, name));
		asking.on('data', answer => hookSocket?.write(answer));
		asking.write(`${JSON.stringify({...JSON.parse(received[0] ?? ''), input: {command: 'ls'}})}\n`);
		await expect.poll(() => program.requests).toMatchObject([{text: 'ls'}]);
		void desk.answer(program.requests[0]?.id ?? '', {option: 'once'});
		expect(await hook.end).toEqual(silence);
		asking.destroy();
	});

	test("who pass a request on can't say that its answer was taken", async () => {
		const folders = temporaryHookFolders();
		const {program, desk} = await openRequestsIn(folders);
		const [name = ''] = readdirSync(folders.runtime);
		const asking = connect(join(folders.runtime, name));
		onTestFinished(() => void asking.destroy());
		const ask = {v: 1, id: 'passed-on', ts: 1, tool: 'x', input: {}, data: {session_id: 's1'}};
		asking.write(`${JSON.stringify(ask)}\n`);
		await expect.poll(() => program.requests).toHaveLength(1);
		const id = program.requests[0]?.id ?? '';
		asking.on('data', () => asking.write(`${JSON.stringify({taken: id})}\n`));
		expect(await desk.answer(id, {option: 'once'})).toBe(false);
		expect(program).toMatchObject({requests: [], answered: []});
	});

	test("who reply byte by byte don't keep headless commands from their end", async () => {
		const {folders, id} = await asked();
		const {received} = await listen(folders.runtime, socket => {
			const dripping = setInterval(() => socket.write('x'), 10);
			socket.on('close', () => clearInterval(dripping));
		});
		vi.stubEnv('XDG_RUNTIME_DIR', dirname(folders.runtime));
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => void vi.useRealTimers());
		const requests = runningRequests(dirname(folders.spool));
		await vi.waitFor(() => expect(received).toHaveLength(1));
		for (let second = 0; second < 10; second++) {
			await settle();
			vi.advanceTimersByTime(1000);
		}
		expect(await requests).toMatchObject([{id}]);
	});

	test('learn no key from headless commands, and list nothing', async () => {
		const {folders, id} = await asked();
		const forged = {requests: [{id, sessionId: 's1', text: 'ls'}], taken: true};
		const {received} = await listen(folders.runtime, (socket, line) => {
			const {signature} = JSON.parse(line);
			socket.end(`${JSON.stringify({...forged, reply: forged, signature})}\n`);
		});
		vi.stubEnv('XDG_RUNTIME_DIR', dirname(folders.runtime));
		const stateFolder = dirname(folders.spool);
		expect(await runningRequests(stateFolder)).toMatchObject([{id, text: 'touch made-by-tool'}]);
		expect(await answerRunning(stateFolder, 'other', {option: 'once'})).toBe(false);
		expect(received).toHaveLength(2);
		expect(received.join('')).not.toContain(answerKey);
	});

	test('get nothing from a program without a key, whose user can answer nothing either', async () => {
		const folders = temporaryHookFolders();
		const {program, desk} = await openRequestsIn(folders, {key: undefined});
		const hook = start(folders);
		await expect.poll(() => program.requests).toHaveLength(1);
		expect(
			await call(folders.runtime, `${JSON.stringify({call: {list: true}, until: later(), signature: ''})}\n`),
		).toBe('');
		expect(await desk.answer(program.requests[0]?.id ?? '', {option: 'once'})).toBe(false);
		await desk.stop();
		expect(await hook.end).toEqual(silence);
	});

	test('who send the same request again change nothing for others', async () => {
		const folders = temporaryHookFolders();
		const {received} = await listen(folders.runtime, () => {});
		const {program, desk} = await openRequestsIn(folders);
		const hook = start(folders);
		await expect.poll(() => program.requests.length + received.length).toBe(2);
		const id = program.requests[0]?.id ?? '';
		expect(await call(folders.runtime, received[0] ?? '')).toBe('');
		expect(program.requests).toMatchObject([{id, text: 'touch made-by-tool'}]);
		expect(await desk.answer(id, {option: 'once'})).toBe(true);
		expect(await hook.end).toEqual(decided({behavior: 'allow'}));
	});

	test('who nest an input too deeply are dropped', async () => {
		const folders = temporaryHookFolders();
		const {program} = await openRequestsIn(folders);
		const ask = {v: 1, id: 'deep-request', ts: 1, tool: 'x', input: {a: 'DEEP'}, data: {session_id: 's1'}};
		const line = JSON.stringify(ask).replace('"DEEP"', '['.repeat(20_000) + ']'.repeat(20_000));
		expect(await call(folders.runtime, `${line}\n`)).toBe('');
		expect(program.requests).toEqual([]);
	});

	test('who connect and say nothing, or too much, are dropped', async () => {
		const folders = temporaryHookFolders();
		const clock = fakeClock();
		await openRequestsIn(folders, {clock});
		const silent = call(folders.runtime, '');
		await expect.poll(() => clock.pending).toBe(1);
		await clock.advance(2000);
		expect(await silent).toBe('');
		expect(await call(folders.runtime, 'x'.repeat(1_300_000))).toBe('');
	});
});

test("a hook that doesn't take an answer in time doesn't take it later", async () => {
	const folders = temporaryHookFolders();
	const clock = fakeClock();
	const {program, desk} = await openRequestsIn(folders, {clock});
	const hook = start(folders);
	await expect.poll(() => program.requests).toHaveLength(1);
	hook.kill('SIGSTOP');
	const answered = desk.answer(program.requests[0]?.id ?? '', {option: 'once'});
	await clock.advance(5000);
	expect(await answered).toBe(false);
	hook.kill('SIGCONT');
	expect(await hook.end).toEqual(silence);
});

test('a command of almost 1 MiB is shown in part, and can only be denied', async () => {
	const command = `echo ${'x'.repeat(900_000)}`;
	const {desk, hook, id, request} = await asked(
		permissionPayload({tool_input: {command}, permission_suggestions: suggestions}),
	);
	expect(request?.options).toEqual(optionsNamed('no'));
	expect(request?.text?.length).toBeLessThan(140_000);
	expect(await desk.answer(id, {option: 'once'})).toBe(false);
	expect(await desk.answer(id, {option: 'always'})).toBe(false);
	expect(await desk.answer(id, {option: 'no'})).toBe(true);
	expect((await hook.end).output).toContain('"deny"');
});

test('the hook for all other events contains nothing of the one that waits', async () => {
	const ordinary = await buildHook();
	onTestFinished(ordinary.remove);
	const text = readFileSync(ordinary.file, 'utf8');
	expect(text.length).toBeLessThan(10_000);
	expect(text).not.toMatch(/updatedPermissions|tool_input/);
});
