import {existsSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import type {Envelope} from '../../../hooks/wire.ts';
import {buildHook} from '../../support/built-hook.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {type HookPayload, heldPayload, hookPayloads} from '../../support/hook-payloads.ts';
import {hang, hookScenes, leaveSocket, receive} from '../../support/hook-scenes.ts';
import {runFed, silentSuccess} from '../../support/run-fed.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

const whole = hookPayloads[0] as HookPayload;

describe('the hook', () => {
	let hook: Awaited<ReturnType<typeof buildHook>>;
	let patient: typeof hook;
	beforeAll(async () => {
		hook = await buildHook();
		patient = await buildHook({isPatient: true});
	});
	afterAll(() => {
		hook.remove();
		patient.remove();
	});

	const commandOf = ({file}: typeof hook, ...args: string[]) => [
		...[process.execPath, file, '--client', 'claude'],
		...args,
	];
	const command = (...args: string[]) => commandOf(hook, ...args);
	const run = (place: Pick<HookFolders, 'env'>, payload: string, ...args: string[]) =>
		runFed(command(...args), place.env, {chunks: [payload]});

	test('of an agent started by an embedded service reports nothing', async () => {
		const place = temporaryHookFolders();
		const env = {...place.env, QUARTERDECK_STARTED_BY: 'instance.run'};
		expect(await runFed(command(), env, whole.feed('Stop'))).toEqual(silentSuccess);
		expect(place.spooled()).toEqual([]);
	});

	function expectEvent(envelope: Envelope | undefined, event: string, {data}: HookPayload): void {
		const named = data(event).hook_event_name ?? '';
		expect(envelope).toMatchObject({v: 1, client: 'claude', event: named});
		expect(envelope?.data).toEqual(data(event));
	}

	/** All events in all scenes are part S1 of the soak. */
	const event = 'Stop';

	test.each(hookScenes)('where $name', async ({set, way}) => {
		const place = temporaryHookFolders();
		const {env, received, spooled, close} = await set(place);
		onTestFinished(close);
		// A hook whose time is up spools as well, though its program is only late.
		const run = commandOf(way === 'socket' ? patient : hook);
		expect(await runFed(run, env, whole.feed(event))).toEqual(silentSuccess);
		const isReceived = way === 'socket' ? 1 : 0;
		await expect.poll(() => received.map(list => list.length)).toEqual(received.map(() => isReceived));
		expect(spooled()).toHaveLength(way === 'spool' ? 1 : 0);
		for (const envelope of [...received.flat(), ...spooled()]) expectEvent(envelope, event, whole);
		expect(new Set(received.flat().map(({id}) => id)).size).toBe(isReceived);
	});

	/** What becomes of the others once they are read is in `payload.test.ts`. */
	const inParts = hookPayloads.filter(({name}) => /long|chunks/.test(name));

	test.each(inParts)('a payload $name', async payload => {
		const place = temporaryHookFolders();
		expect(await runFed(commandOf(patient), place.env, payload.feed(event))).toEqual(silentSuccess);
		const spooled = place.spooled();
		expect(spooled).toHaveLength(1);
		expectEvent(spooled[0], event, payload);
	});

	test('succeeds with standard output and error closed', async () => {
		const place = temporaryHookFolders();
		const closed = `exec "$0" "$@" >&- 2>&-`;
		expect(await runFed(['sh', '-c', closed, ...command()], place.env, whole.feed(event))).toEqual(
			silentSuccess,
		);
		expectEvent(place.spooled()[0], event, whole);
	});

	test('keeps what it got while standard input stays open', async () => {
		const place = temporaryHookFolders();
		expect(await runFed(command(), place.env, heldPayload.feed(event))).toEqual(silentSuccess);
		expectEvent(place.spooled()[0], event, heldPayload);
	});

	test('still sends the line to programs that hang', async () => {
		const place = temporaryHookFolders();
		const lines: string[] = [];
		const server = await hang(place, line => lines.push(line));
		onTestFinished(() => void server.close());
		expect(await run(place, '{"session_id":"s"}')).toEqual(silentSuccess);
		await expect.poll(() => lines.join('')).toContain(place.spooled()[0]?.id);
	});

	test('removes what a dead program left', async () => {
		const place = temporaryHookFolders();
		const socket = await leaveSocket(place);
		await run(place, '{"session_id":"s"}');
		expect(existsSync(socket)).toBe(false);
	});

	test('sends the last message only when that is on, and at most 280 characters', async () => {
		const place = temporaryHookFolders();
		const message = Array.from({length: 200}, (_, index) => `🙂${index}`).join('');
		const payload = JSON.stringify({session_id: 's', last_assistant_message: message});
		await run(place, payload);
		await run(place, payload, '--last-message');
		expect(place.spooled().map(({data}) => data.last_assistant_message)).toEqual([
			undefined,
			[...message].slice(0, 280).join(''),
		]);
	});

	test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'keeps the event on %s while it waits',
		async signal => {
			const place = temporaryHookFolders();
			const sent: Envelope[] = [];
			const server = await hang(place, line => {
				const envelope: Envelope = JSON.parse(line);
				sent.push(envelope);
				process.kill(envelope.pid, signal);
			});
			onTestFinished(() => void server.close());
			// It is still there when it is killed.
			const feed = {chunks: ['{"session_id":"s-1"}']};
			expect(await runFed(commandOf(patient), place.env, feed)).toEqual(silentSuccess);
			expect(sent).toMatchObject([{data: {session_id: 's-1'}}]);
			// With its id: a program that was only late gets it once.
			expect(place.spooled()).toEqual(sent);
		},
	);

	test('copes with standard input that is closed, a device or a file', async () => {
		const place = temporaryHookFolders();
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

	test('tells at most eight programs, and spools the event for others', async () => {
		const place = temporaryHookFolders();
		const all: Envelope[][] = [];
		for (let i = 0; i < 9; i++) {
			const {received, close} = await receive(place);
			onTestFinished(close);
			all.push(received);
		}
		expect(await run(place, '{"session_id":"s"}')).toEqual(silentSuccess);
		await expect.poll(() => all.map(({length}) => length).toSorted()).toEqual([0, ...Array(8).fill(1)]);
		expect(place.spooled()).toHaveLength(1);
		expect(new Set([...all.flat(), ...place.spooled()].map(({id}) => id)).size).toBe(1);
	});

	test('spools files that only the user can access', async () => {
		const place = temporaryHookFolders();
		await run(place, '{"session_id":"s"}');
		const [name = ''] = readdirSync(place.spool);
		expect(statSync(place.spool).mode & 0o777).toBe(0o700);
		expect(statSync(join(place.spool, name)).mode & 0o777).toBe(0o600);
	});
});
