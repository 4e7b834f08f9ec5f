import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {formatSocketName} from '../../../hooks/socket-name.ts';
import {formatSpoolName, maxSpoolFiles} from '../../../hooks/spool.ts';
import {type Envelope, maxLine} from '../../../hooks/wire.ts';
import type {HookEvent} from '../../../src/domain/hook-event.ts';
import {systemClock} from '../../../src/sync/clock.ts';
import {startHookReceiver} from '../../../src/sync/hook-receiver.ts';
import {buildHook} from '../../support/built-hook.ts';
import {type Feed, type HookPlace, hookPlace, runFed, silentSuccess} from '../../support/hook-place.ts';

const events = [
	'Notification',
	'Stop',
	'SubagentStop',
	'SessionEnd',
	'SessionStart',
	'UserPromptSubmit',
	'StopFailure',
	'SomethingNew',
];

describe.each(['raw', 'net'] as const)('over %s pipes', pipe => {
	let hook: Awaited<ReturnType<typeof buildHook>>;
	beforeAll(async () => {
		hook = await buildHook(pipe);
	});
	afterAll(() => hook.remove());

	const run = (place: HookPlace, feed: Feed | string, ...args: string[]) =>
		runFed(
			[process.execPath, hook.file, '--client', 'claude', ...args],
			place.env,
			typeof feed === 'string' ? {chunks: [feed]} : feed,
		);

	describe.each(events)('%s', event => {
		const payload = JSON.stringify({session_id: 's-1', hook_event_name: event, cwd: '/w', prompt: 'secret'});
		const isOurs = (envelope: Envelope | undefined) => {
			expect(envelope).toMatchObject({
				v: 1,
				client: 'claude',
				event,
				data: {session_id: 's-1', hook_event_name: event, cwd: '/w'},
			});
			expect(JSON.stringify(envelope)).not.toContain('secret');
		};

		test('no program runs: it is spooled', async () => {
			const place = hookPlace();
			expect(await run(place, payload)).toEqual(silentSuccess);
			expect(place.spooled()).toHaveLength(1);
			isOurs(place.spooled()[0]);
		});

		test('two programs run: both have it, nothing is spooled', async () => {
			const place = hookPlace();
			const [first, second] = [await receive(place), await receive(place)];
			expect(await run(place, payload)).toEqual(silentSuccess);
			await expect.poll(() => [first.length, second.length]).toEqual([1, 1]);
			isOurs(first[0]);
			expect(second[0]?.id).toBe(first[0]?.id);
			expect(place.spooled()).toEqual([]);
		});

		test('one program hangs: the other is enough', async () => {
			const place = hookPlace();
			await hang(place);
			const received = await receive(place);
			expect(await run(place, payload)).toEqual(silentSuccess);
			isOurs(received[0]);
			expect(place.spooled()).toEqual([]);
		});

		test('all programs hang: it is spooled', async () => {
			const place = hookPlace();
			const lines = await hang(place);
			expect(await run(place, payload)).toEqual(silentSuccess);
			isOurs(place.spooled()[0]);
			await expect.poll(() => lines.join('')).toContain(place.spooled()[0]?.id);
		});

		test('a dead program left its socket: that is removed, the event spooled', async () => {
			const place = hookPlace();
			const socket = await leaveSocket(place);
			expect(await run(place, payload)).toEqual(silentSuccess);
			expect(existsSync(socket)).toBe(false);
			isOurs(place.spooled()[0]);
		});

		test('a full spool: the oldest goes', async () => {
			const place = hookPlace();
			fillSpool(place);
			expect(await run(place, payload)).toEqual(silentSuccess);
			const names = readdirSync(place.spool).sort();
			expect(names).toHaveLength(maxSpoolFiles);
			expect(names[0]).toContain('-filler-1-');
			isOurs(place.spooled().at(-1));
		});

		test('a home that can not be written: the runtime folder keeps it', async () => {
			const place = unwritableHome(hookPlace());
			expect(await run(place, payload)).toEqual(silentSuccess);
			isOurs(place.spooled(join(place.runtime, 'spool'))[0]);
		});

		test('a state folder in which mkdir never ends by itself: the home keeps it', async () => {
			const place = hookPlace();
			const env = {...place.env, XDG_STATE_HOME: '/proc/1'};
			expect(await run({...place, env}, payload)).toEqual(silentSuccess);
			isOurs(place.spooled(join(place.root, 'home/.local/state/quarterdeck/spool'))[0]);
		});

		test('nowhere to keep it: still silence', async () => {
			const place = hookPlace();
			const env = {...unwritableHome(place).env, XDG_RUNTIME_DIR: '/dev/null', TMPDIR: '/dev/null'};
			expect(await run({...place, env}, payload)).toEqual(silentSuccess);
		});

		test('standard output and error are closed', async () => {
			const place = hookPlace();
			const command = `exec "${process.execPath}" "${hook.file}" --client claude >&- 2>&-`;
			expect(await runFed(['sh', '-c', command], place.env, {chunks: [payload]})).toEqual(silentSuccess);
			isOurs(place.spooled()[0]);
		});

		test('a payload that is cut keeps its ids', async () => {
			const place = hookPlace();
			expect(await run(place, payload.slice(0, -3))).toEqual(silentSuccess);
			isOurs(place.spooled()[0]);
			expect(place.spooled()[0]?.data.damaged).toBe('cut');
		});

		test('a payload of 1.1 MiB is drained, its ids kept', async () => {
			const place = hookPlace();
			const chunk = 'x'.repeat(1.1 * 1024 * 1024);
			expect(await run(place, `${payload.slice(0, -1)},"tool_input":"${chunk}"}`)).toEqual(silentSuccess);
			isOurs(place.spooled()[0]);
			expect(place.spooled()[0]?.data.damaged).toBe('too-long');
		});
	});

	test.each([
		['empty', '', {damaged: 'empty'}],
		['a list', '[{"session_id":"s"}]', {damaged: 'not-object'}],
		['a word', 'null', {damaged: 'not-object'}],
		['no JSON', 'hello', {damaged: 'not-json'}],
		['a byte order mark', '\uFEFF{"session_id":"s"}', {session_id: 's'}],
		[
			'wrong types',
			'{"session_id":["s"],"cwd":null,"message":{"a":1},"stop_hook_active":"yes","error":{"message":"e"}}',
			{error: 'e'},
		],
		['camelCase', '{"sessionId":"s","hookEventName":"Stop"}', {session_id: 's', hook_event_name: 'Stop'}],
	])('a payload that is %s', async (_, payload, data) => {
		const place = hookPlace();
		expect(await run(place, payload)).toEqual(silentSuccess);
		expect(place.spooled().map(envelope => envelope.data)).toEqual([data]);
	});

	test('characters cut in two by chunks come out whole, long texts shortened to fit the line', async () => {
		const place = hookPlace();
		const received = await receive(place);
		const message = '界🙂'.repeat(1000);
		const control = '\u0001'.repeat(4000);
		const bytes = Buffer.from(
			JSON.stringify({session_id: 's', message, cwd: control, transcript_path: control}),
		);
		const chunks = [
			bytes.subarray(0, 40),
			bytes.subarray(40, 41),
			bytes.subarray(41, 43),
			bytes.subarray(43),
		];
		expect(await run(place, {chunks})).toEqual(silentSuccess);
		const data = received[0]?.data;
		expect(data?.message?.length).toBeGreaterThan(100);
		expect(message.startsWith(data?.message ?? '-')).toBe(true);
		const {receivedAt, delivery, ...envelope} = received[0] as HookEvent;
		expect(Buffer.byteLength(JSON.stringify(envelope)) + 1).toBeLessThanOrEqual(maxLine);
	});

	test('the last message goes out only when turned on, at most 280 characters', async () => {
		const place = hookPlace();
		const payload = JSON.stringify({session_id: 's', last_assistant_message: '🙂'.repeat(400)});
		await run(place, payload);
		await run(place, payload, '--last-message');
		expect(place.spooled().map(({data}) => [...(data.last_assistant_message ?? '')].length)).toEqual([
			0, 280,
		]);
	});

	test.each(['Stop', 'SessionEnd'])('%s: standard input stays open, what was said is kept', async event => {
		const place = hookPlace();
		const payload = JSON.stringify({session_id: 's-1', hook_event_name: event});
		expect(await run(place, {chunks: [payload], held: true})).toEqual(silentSuccess);
		expect(place.spooled().map(({data}) => data)).toEqual([{session_id: 's-1', hook_event_name: event}]);
	});

	test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'%s while it waits: the event is kept',
		async signal => {
			const place = hookPlace();
			await hang(place, line => process.kill((JSON.parse(line) as Envelope).pid, signal));
			expect(await run(place, '{"session_id":"s-1"}')).toEqual(silentSuccess);
			expect(place.spooled()).toHaveLength(1);
		},
	);

	test('standard input is closed, a device, or a file', async () => {
		const place = hookPlace();
		const file = join(place.root, 'payload');
		writeFileSync(file, '{"session_id":"from-file"}');
		for (const redirect of ['<&-', '</dev/null', '</dev/zero', `<${file}`]) {
			const command = `exec "${process.execPath}" "${hook.file}" ${redirect}`;
			expect(await runFed(['sh', '-c', command], place.env)).toEqual(silentSuccess);
		}
		expect(place.spooled().map(({data}) => data.session_id ?? data.damaged)).toEqual([
			'empty',
			'empty',
			'empty',
			'from-file',
		]);
	});

	test('a folder that others may enter is not trusted', async () => {
		const place = hookPlace();
		const received = await receive(place);
		chmodSync(place.runtime, 0o755);
		expect(await run(place, '{"session_id":"s"}')).toEqual(silentSuccess);
		expect(received).toEqual([]);
		expect(place.spooled()).toHaveLength(1);
	});

	test('at most eight programs are told', async () => {
		const place = hookPlace();
		const all: HookEvent[][] = [];
		for (let i = 0; i < 9; i++) all.push(await receive(place));
		expect(await run(place, '{"session_id":"s"}')).toEqual(silentSuccess);
		await expect.poll(() => all.flat()).toHaveLength(8);
	});

	test('no warning of Node gets out', async () => {
		const place = hookPlace();
		const env = {...place.env, NODE_PENDING_DEPRECATION: '1', NODE_OPTIONS: '--trace-warnings'};
		expect(await run({...place, env}, '{"session_id":"s"}')).toEqual(silentSuccess);
		expect(place.spooled()).toHaveLength(1);
	});

	test('what it spools is closed to others', async () => {
		const place = hookPlace();
		await run(place, '{"session_id":"s"}');
		const [name = ''] = readdirSync(place.spool);
		expect(statSync(place.spool).mode & 0o777).toBe(0o700);
		expect(statSync(join(place.spool, name)).mode & 0o777).toBe(0o600);
	});
});

/** A running program; the answer fills with what it receives by its socket. */
async function receive(place: HookPlace): Promise<HookEvent[]> {
	const received: HookEvent[] = [];
	mkdirSync(place.runtime, {recursive: true, mode: 0o700});
	const receiver = await startHookReceiver({
		folder: place.runtime,
		spoolFolder: join(place.root, 'no-spool'),
		clock: systemClock,
		onEvent: event => void received.push(event),
		onProblem(problem) {
			throw problem;
		},
	});
	onTestFinished(() => receiver.close());
	return received;
}

/** A program that accepts and reads, but never answers. */
async function hang(place: HookPlace, onLine: (line: string) => void = () => {}): Promise<string[]> {
	const lines: string[] = [];
	mkdirSync(place.runtime, {recursive: true, mode: 0o700});
	const server = createServer(socket => {
		socket.on('data', bytes => {
			lines.push(String(bytes));
			onLine(String(bytes));
		});
		socket.on('error', () => {});
	});
	const name = formatSocketName({startedAt: Date.now(), pid: process.pid, tag: 'ffff'});
	server.listen(join(place.runtime, name));
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return lines;
}

/** The socket of a program that was killed: refused, and its pid is nobody's any more. */
async function leaveSocket(place: HookPlace): Promise<string> {
	mkdirSync(place.runtime, {recursive: true, mode: 0o700});
	const listening = `const name = ${JSON.stringify(`${place.runtime}/abc-`)} + process.pid + '-ffff.sock';
		require('node:net').createServer().listen(name, () => process.kill(process.pid, 'SIGKILL'));`;
	const ended = await runFed([process.execPath, '-e', listening], place.env);
	expect(ended.signal).toBe('SIGKILL');
	const [name = ''] = readdirSync(place.runtime);
	return join(place.runtime, name);
}

function fillSpool(place: HookPlace): void {
	mkdirSync(place.spool, {recursive: true, mode: 0o700});
	const start = Date.now() - 60_000;
	for (let i = 0; i < maxSpoolFiles; i++) {
		const name = formatSpoolName({ts: start + i, id: `filler-${i}`, bytes: 3});
		writeFileSync(join(place.spool, name), '{}\n', {mode: 0o600});
	}
}

function unwritableHome(place: HookPlace): HookPlace {
	const env = {...place.env, XDG_STATE_HOME: '/dev/null/state', HOME: '/dev/null'};
	return {...place, env};
}
