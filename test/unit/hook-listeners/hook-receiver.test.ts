import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test, vi} from 'vitest';
import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {formatSpoolName, spool} from '../../../hooks/spool.ts';
import {type Envelope, encodeEnvelope, maxLine} from '../../../hooks/wire.ts';
import {type HookEvent, isHistory} from '../../../src/domain/sessions/signal.ts';
import {
	type HookReceiver,
	type HookReceiverOptions,
	startHookReceiver,
} from '../../../src/hook-listeners/hook-receiver.ts';
import {PrivateSocketError} from '../../../src/hook-listeners/listen-at.ts';
import {drainSpool} from '../../../src/hook-listeners/spool-drain.ts';
import {type FakeClock, fakeClock, settle} from '../../support/fake-clock.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {runFed} from '../../support/run-fed.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

type Started = {receiver: HookReceiver; received: HookEvent[]; problems: Error[]; clock: FakeClock};

async function start(environment: HookFolders, change: Partial<HookReceiverOptions> = {}): Promise<Started> {
	mkdirSync(environment.runtime, {recursive: true, mode: 0o700});
	const received: HookEvent[] = [];
	const problems: Error[] = [];
	const clock = fakeClock();
	const receiver = await startHookReceiver({
		folder: environment.runtime,
		spoolFolder: environment.spool,
		clock,
		onEvents: events => void received.push(...events),
		onProblem: problem => void problems.push(problem),
		...change,
	});
	onTestFinished(() => receiver.close());
	return {receiver, received, problems, clock};
}

function envelope(number: number, ts = fakeClock().now()): Envelope {
	const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
	const data = {session_id: 's', hook_event_name: 'Stop'};
	return {v: 1, id, ts, client: 'claude', event: 'Stop', pid: 2, agentPid: 1, data};
}

/** A connection and all that it was answered; `closed` resolves when the other side ends it. */
async function open({
	receiver,
}: Started): Promise<{socket: Socket; answers(): string; closed: Promise<unknown>}> {
	const socket = connect(receiver.socket ?? '');
	onTestFinished(() => void socket.destroy());
	let text = '';
	socket.on('data', bytes => {
		text += bytes;
	});
	socket.on('error', () => {});
	const closed = new Promise(resolve => socket.on('close', resolve));
	await once(socket, 'connect');
	return {socket, answers: () => text, closed};
}

function put(environment: HookFolders, one: Envelope): void {
	expect(spool([environment.spool], encodeEnvelope(one), one, currentEnvironment())).toBe(true);
}

/** Polls while time goes on, in which writes are put together. */
function pollOver<T>({clock}: Started, look: () => T) {
	return expect.poll(
		async () => {
			await clock.advance(20);
			return look();
		},
		{interval: 2},
	);
}

test('acknowledges an event once it is stored, and not before', async () => {
	let save = () => {};
	const kept = new Promise<void>(resolve => {
		save = resolve;
	});
	const seen: HookEvent[] = [];
	const started = await start(temporaryHookFolders(), {
		onEvents: events => {
			seen.push(...events);
			return kept;
		},
	});
	const {socket, answers} = await open(started);
	socket.write(encodeEnvelope(envelope(1)));
	await expect
		.poll(() => seen)
		.toEqual([{...envelope(1), receivedAt: started.clock.now(), delivery: 'socket'}]);
	expect(answers()).toBe('');
	save();
	await expect.poll(answers).toBe(`{"ok":"${envelope(1).id}"}\n`);
});

test('only the user can connect', async () => {
	const {receiver} = await start(temporaryHookFolders());
	expect(statSync(receiver.socket ?? '').mode & 0o777).toBe(0o600);
});

test("doesn't acknowledge an event that can't be stored", async () => {
	const started = await start(temporaryHookFolders(), {
		onEvents() {
			throw new Error('disk is full');
		},
	});
	const {socket, answers, closed} = await open(started);
	socket.write(encodeEnvelope(envelope(1)));
	await closed;
	expect(answers()).toBe('');
	expect(started.problems.map(problem => problem.message)).toEqual(['disk is full']);
});

/** An envelope as one line of so many bytes: blanks at its end change nothing in it. */
const lineOf = (bytes: number) =>
	`${encodeEnvelope(envelope(9))
		.trimEnd()
		.padEnd(bytes - 1)}\n`;

test('takes a line of the greatest length', async () => {
	const started = await start(temporaryHookFolders());
	const {socket, answers} = await open(started);
	socket.write(lineOf(maxLine));
	await expect.poll(answers).toBe(`{"ok":"${envelope(9).id}"}\n`);
});

test.each([
	['garbage', 'hello\n', 0],
	['a list', '[]\n', 0],
	['a line without an end', 'x'.repeat(maxLine + 1), 0],
	['a long line', lineOf(maxLine + 1), 0],
	['an endless stream of lines', encodeEnvelope(envelope(9)).repeat(65), 1],
	['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a]), 0],
])('%s ends the connection and nothing else', async (_, bytes, count) => {
	// Silence never ends a connection here, so that only what was sent can.
	const clock = fakeClock();
	const after: FakeClock['after'] = (ms, run) => (ms < 2000 ? clock.after(ms, run) : () => {});
	const started = {...(await start(temporaryHookFolders(), {clock: {now: clock.now, after}})), clock};
	const bad = await open(started);
	bad.socket.write(bytes);
	await pollOver(started, () => bad.socket.closed).toBe(true);
	expect(started.received.map(({id}) => id)).toEqual(Array(count).fill(envelope(9).id));
	const good = await open(started);
	good.socket.write(encodeEnvelope(envelope(1)));
	await pollOver(started, good.answers).toContain(envelope(1).id);
	expect(started.problems).toEqual([]);
});

test('closes a connection after two seconds of silence', async () => {
	const started = await start(temporaryHookFolders());
	const {socket, closed} = await open(started);
	socket.write('{');
	await started.clock.advance(1999);
	expect(socket.closed).toBe(false);
	await started.clock.advance(1);
	await closed;
});

test('refuses more connections than allowed, and soon picks up their events from the spool', async () => {
	const environment = temporaryHookFolders();
	const started = await start(environment);
	await started.receiver.drain();
	const held: Socket[] = [];
	while (held.length < 100) held.push((await open(started)).socket);
	const one = await open(started);
	await one.closed;
	put(environment, envelope(7));
	await started.clock.advance(250);
	await expect.poll(() => started.received.map(({id}) => id)).toEqual([envelope(7).id]);
	for (const socket of held) socket.destroy();
});

test('a line may be cut anywhere', async () => {
	const started = await start(temporaryHookFolders());
	const text = Buffer.from(encodeEnvelope(envelope(1)));
	await fc.assert(
		fc.asyncProperty(fc.uniqueArray(fc.nat(text.length), {maxLength: 6}), async cuts => {
			started.received.length = 0;
			const {socket, answers} = await open(started);
			socket.setNoDelay();
			let from = 0;
			for (const to of [...cuts.sort((a, b) => a - b), text.length]) {
				await new Promise(written => socket.write(text.subarray(from, to), written));
				from = to;
			}
			await pollOver(started, answers).toContain(envelope(1).id);
			expect(started.received.map(({id}) => id)).toEqual([envelope(1).id]);
			socket.destroy();
		}),
		{numRuns: 25},
	);
});

test('loses nothing of a flood', async () => {
	const started = await start(temporaryHookFolders());
	const connections = await Promise.all(Array.from({length: 100}, () => open(started)));
	for (const [number, {socket}] of connections.entries()) socket.write(encodeEnvelope(envelope(number)));
	await pollOver(started, () => new Set(started.received.map(({id}) => id)).size).toBe(100);
	expect(started.received).toHaveLength(100);
});

test('drains the spool at the start, in order of time, and empties it', async () => {
	const environment = temporaryHookFolders();
	const now = fakeClock().now();
	for (const age of [1000, 5000, 700_000, 3000]) put(environment, envelope(age, now - age));
	writeFileSync(join(environment.spool, formatSpoolName({ts: now, id: 'garbage-00', bytes: 7})), 'garbage');
	const {receiver, received, problems} = await start(environment);
	await receiver.drain();
	expect(received.map(event => [now - event.ts, event.delivery, isHistory(event)])).toEqual([
		[700_000, 'spool', true],
		[5000, 'spool', false],
		[3000, 'spool', false],
		[1000, 'spool', false],
	]);
	expect(readdirSync(environment.spool)).toEqual([]);
	expect(problems).toEqual([]);
});

test('checks the spool again and again', async () => {
	const environment = temporaryHookFolders();
	const {receiver, received, clock} = await start(environment);
	await receiver.drain();
	const numbers = [1, 2, 3];
	for (const number of numbers) {
		await expect.poll(() => clock.pending).toBe(1);
		put(environment, envelope(number));
		await clock.advance(10_000);
		await expect.poll(() => received.at(-1)?.id).toBe(envelope(number).id);
	}
	expect(received.map(({id}) => id)).toEqual(numbers.map(number => envelope(number).id));
});

test('no program gets an event twice and none is lost when several drain one spool', async () => {
	const environment = temporaryHookFolders();
	for (let i = 0; i < 200; i++) put(environment, envelope(i, fakeClock().now() - i));
	const onEvents = (list: string[]) => async (events: readonly HookEvent[]) => {
		list.push(...events.map(({id}) => id));
		await new Promise(resolve => setImmediate(resolve));
	};
	const first: string[] = [];
	const second: string[] = [];
	const all = [
		await start(environment, {onEvents: onEvents(first)}),
		await start(environment, {onEvents: onEvents(second)}),
	];
	await Promise.all(all.map(({receiver}) => receiver.drain()));
	expect(new Set([...first, ...second]).size).toBe(200);
	for (const given of [first, second]) expect(new Set(given).size).toBe(given.length);
	expect(environment.spooled()).toEqual([]);
});

test('drains a spool a little at a time, in order of time', async () => {
	const environment = temporaryHookFolders();
	for (let i = 0; i < 100; i++) put(environment, envelope(i, 1_000_000 - i));
	const parts: string[][] = [];
	const found = await drainSpool({
		folders: [environment.spool],
		environment: currentEnvironment(),
		now: () => 1_000_000,
		save: envelopes => void parts.push(envelopes.map(({id}) => id)),
	});
	expect([found, environment.spooled()]).toEqual([100, []]);
	expect(parts.map(part => part.length)).toEqual([32, 32, 32, 4]);
	expect(parts.flat()).toEqual(Array.from({length: 100}, (_, index) => envelope(99 - index).id));
});

test("leaves an event that can't be stored in the spool", async () => {
	const environment = temporaryHookFolders();
	put(environment, envelope(1));
	let isFull = true;
	const kept: string[] = [];
	const {receiver, problems} = await start(environment, {
		onEvents(events) {
			if (isFull) throw new Error('disk is full');
			kept.push(...events.map(({id}) => id));
		},
	});
	await receiver.drain();
	expect(problems.length).toBeGreaterThan(0);
	expect(environment.spooled()).toHaveLength(1);
	isFull = false;
	await receiver.drain();
	expect(kept).toEqual([envelope(1).id]);
	expect(environment.spooled()).toEqual([]);
});

test("removes files that aren't events: too long, cut off, or not JSON", async () => {
	const environment = temporaryHookFolders();
	put(environment, envelope(1));
	const texts = [lineOf(maxLine + 1), encodeEnvelope(envelope(2)).slice(0, 40), '', '\xff\0'];
	for (const [index, text] of texts.entries()) {
		const name = formatSpoolName({ts: fakeClock().now(), id: envelope(index + 2).id, bytes: text.length});
		writeFileSync(join(environment.spool, name), text, 'latin1');
	}
	const {receiver, received} = await start(environment);
	await receiver.drain();
	await receiver.drain();
	expect(received.map(({id}) => id)).toEqual([envelope(1).id]);
	expect(readdirSync(environment.spool)).toEqual([]);
});

test("doesn't follow a link in the spool", async () => {
	const environment = temporaryHookFolders();
	const elsewhere = join(environment.root, 'elsewhere');
	writeFileSync(elsewhere, encodeEnvelope(envelope(1)));
	mkdirSync(environment.spool, {recursive: true, mode: 0o700});
	symlinkSync(
		elsewhere,
		join(environment.spool, formatSpoolName({ts: fakeClock().now(), id: envelope(1).id, bytes: 9})),
	);
	put(environment, envelope(2));
	const {receiver, received} = await start(environment);
	await receiver.drain();
	expect(received.map(({id}) => id)).toEqual([envelope(2).id]);
	expect(readFileSync(elsewhere, 'utf8')).toBe(encodeEnvelope(envelope(1)));
});

test("doesn't wait for a pipe that takes the place of a spooled event meanwhile", async () => {
	const environment = temporaryHookFolders();
	for (let i = 0; i < 33; i++) put(environment, envelope(i));
	const last = join(environment.spool, readdirSync(environment.spool).toSorted().at(-1) ?? '');
	const {receiver} = await start(environment, {
		onEvents() {
			rmSync(last);
			execFileSync('mkfifo', [last]);
		},
	});
	await receiver.drain();
	expect(readdirSync(environment.spool)).toEqual([]);
});

test('answers a client that half-closes its connection', async () => {
	const started = await start(temporaryHookFolders());
	const socket = connect({path: started.receiver.socket ?? '', allowHalfOpen: true});
	onTestFinished(() => void socket.destroy());
	let text = '';
	socket.on('data', bytes => {
		text += bytes;
	});
	socket.end(encodeEnvelope(envelope(1)));
	await once(socket, 'end');
	expect(text).toBe(`{"ok":"${envelope(1).id}"}\n`);
});

test('soon checks the spool when a hook leaves before its answer, and keeps checking while it fills', async () => {
	const environment = temporaryHookFolders();
	let save = () => {};
	const kept = new Promise<void>(resolve => {
		save = resolve;
	});
	const spooled: string[] = [];
	const started = await start(environment, {
		onEvents(events) {
			if (events[0]?.delivery === 'spool') spooled.push(...events.map(({id}) => id));
			return events[0]?.delivery === 'socket' ? kept : undefined;
		},
	});
	await started.receiver.drain();
	const {socket} = await open(started);
	socket.write(encodeEnvelope(envelope(1)));
	await expect.poll(() => started.clock.pending).toBe(1);
	socket.destroy();
	put(environment, envelope(1));
	save();
	await expect.poll(() => started.clock.pending).toBe(1);
	await pollOver(started, () => spooled).toContain(envelope(1).id);
	// The next look is fixed once all that was found is removed.
	await expect.poll(() => started.clock.pending).toBe(1);
	put(environment, envelope(2));
	await started.clock.advance(250);
	await expect.poll(() => spooled).toContain(envelope(2).id);
});

test('closing removes only its own socket and leaves no timer', async () => {
	const environment = temporaryHookFolders();
	const first = await start(environment);
	const second = await start(environment);
	await open(first);
	await first.receiver.close();
	expect(first.clock.pending).toBe(0);
	expect(existsSync(first.receiver.socket ?? '')).toBe(false);
	const {socket, answers} = await open(second);
	socket.write(encodeEnvelope(envelope(1)));
	await expect.poll(answers).toContain(envelope(1).id);
});

test('closing waits for the event in progress', async () => {
	let finish = () => {};
	const saved: string[] = [];
	const started = await start(temporaryHookFolders(), {
		onEvents: events =>
			new Promise<void>(resolve => {
				finish = () => {
					saved.push(...events.map(({id}) => id));
					resolve();
				};
			}),
	});
	const noop = finish;
	const {socket, closed} = await open(started);
	socket.write(encodeEnvelope(envelope(1)));
	await expect.poll(() => finish).not.toBe(noop);
	let isDone = false;
	const done = started.receiver.close().then(() => {
		isDone = true;
	});
	// Nothing is left to close by then.
	await closed;
	await settle();
	expect(isDone).toBe(false);
	finish();
	await done;
	expect(saved).toEqual([envelope(1).id]);
});

test('without a socket, says why and relies on the spool', async () => {
	const environment = temporaryHookFolders();
	const folder = join(environment.runtime, 'x'.repeat(100));
	put(environment, envelope(1));
	const {receiver, received, problems, clock} = await start(environment, {folder});
	expect(receiver.socket).toBeUndefined();
	expect(problems).toEqual([expect.any(PrivateSocketError)]);
	await expect.poll(() => received).toHaveLength(1);
	await receiver.drain();
	put(environment, envelope(2));
	await clock.advance(2000);
	await expect.poll(() => received).toHaveLength(2);
});

test('recreates a removed runtime folder and listens there again', async () => {
	const environment = temporaryHookFolders();
	vi.stubEnv('XDG_RUNTIME_DIR', environment.env.XDG_RUNTIME_DIR);
	onTestFinished(() => void vi.unstubAllEnvs());
	let listenedAgain = 0;
	const clock = fakeClock();
	const received: HookEvent[] = [];
	const problems: Error[] = [];
	const receiver = await startHookReceiver({
		spoolFolder: environment.spool,
		clock,
		onEvents: events => void received.push(...events),
		onProblem: problem => void problems.push(problem),
		onListenAgain: () => void listenedAgain++,
	});
	onTestFinished(() => receiver.close());
	const before = receiver.socket ?? '';
	rmSync(environment.runtime, {recursive: true});
	await expect.poll(() => clock.pending).toBe(1);
	await clock.advance(10_000);
	await expect.poll(() => listenedAgain).toBe(1);
	expect(receiver.socket).not.toBe(before);
	expect(statSync(environment.runtime).mode & 0o777).toBe(0o700);
	const {socket, answers} = await open({receiver, received, problems, clock});
	socket.write(encodeEnvelope(envelope(1)));
	await expect
		.poll(async () => {
			await clock.advance(20);
			return answers();
		})
		.toContain(envelope(1).id);

	// The socket's file alone, too.
	rmSync(receiver.socket ?? '');
	await clock.advance(10_000);
	await expect.poll(() => listenedAgain).toBe(2);
	await open({receiver, received, problems, clock});
	expect(problems).toEqual([]);
});

test('removes the sockets of dead programs at the start, and keeps those of live ones', async () => {
	const environment = temporaryHookFolders();
	mkdirSync(environment.runtime, {recursive: true, mode: 0o700});
	const dead = `require('node:net').createServer().listen(${JSON.stringify(`${environment.runtime}/a-`)} + process.pid + '-ffff.sock', () => process.kill(process.pid, 'SIGKILL'))`;
	await runFed([process.execPath, '-e', dead], process.env);
	const live = createServer();
	live.listen(join(environment.runtime, `b-${process.pid}-ffff.sock`));
	await once(live, 'listening');
	onTestFinished(() => void live.close());
	expect(readdirSync(environment.runtime)).toHaveLength(2);
	await start(environment);
	await expect.poll(() => readdirSync(environment.runtime).some(name => name.startsWith('a-'))).toBe(false);
	expect(readdirSync(environment.runtime).some(name => name.startsWith('b-'))).toBe(true);
});
