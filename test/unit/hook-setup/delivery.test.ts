import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {formatSocketName} from '../../../hooks/sockets.ts';
import {systemClock} from '../../../src/domain/clock.ts';
import type {HookEvent} from '../../../src/domain/sessions/signal.ts';
import {startHookReceiver} from '../../../src/hook-listeners/hook-receiver.ts';
import {clients, type Machine} from '../../../src/hook-setup/clients.ts';
import type {Program} from '../../../src/hook-setup/launcher.ts';
import {buildHook} from '../../support/built-hook.ts';
import {startFakeClient} from '../../support/fake-client.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {clientNamed, installHooks} from '../../support/hook-install.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

let hook: Awaited<ReturnType<typeof buildHook>>;
let patient: typeof hook;
let program: Omit<Program, 'launcher'> & {readonly isPatient: true};
/** Its hook doesn't give up when a busy machine makes the program late. */
let patientProgram: typeof program;
beforeAll(async () => {
	hook = await buildHook();
	patient = await buildHook({isPatient: true});
	program = {node: process.execPath, hook: hook.file, isPatient: true};
	patientProgram = {...program, hook: patient.file};
});
afterAll(() => {
	hook.remove();
	patient.remove();
});

type World = {readonly place: HookFolders; readonly machine: Machine; readonly home: string};

function world(): World {
	const place = temporaryHookFolders();
	const home = join(place.root, 'home');
	const cwd = join(place.root, 'project');
	mkdirSync(cwd);
	return {place, home, machine: {home, cwd, env: place.env}};
}

const start = (name: string, {machine, place}: World, isPatient = true) =>
	startFakeClient(name, {home: machine.home, cwd: machine.cwd, env: place.env, isPatient});

/** A running program's receiver; the answer fills with what comes by its socket. */
async function receive(place: HookFolders): Promise<HookEvent[]> {
	const received: HookEvent[] = [];
	mkdirSync(place.runtime, {recursive: true, mode: 0o700});
	const receiver = await startHookReceiver({
		folder: place.runtime,
		spoolFolder: join(place.root, 'no-spool'),
		clock: systemClock,
		onEvents: events => void received.push(...events),
		onProblem(problem) {
			throw problem;
		},
	});
	onTestFinished(() => receiver.close());
	return received;
}

/** A program that accepts and reads, but never answers. */
async function hang(place: HookFolders): Promise<void> {
	mkdirSync(place.runtime, {recursive: true, mode: 0o700});
	const server = createServer(socket => socket.on('error', () => {}).resume());
	server.listen(
		join(place.runtime, formatSocketName({startedAt: Date.now(), pid: process.pid, tag: 'ffff'})),
	);
	await once(server, 'listening');
	onTestFinished(() => void server.close());
}

function put(file: string, text: string): string {
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, text);
	return file;
}

const silent = {code: 0, stdout: '', stderr: '', isTimedOut: false};
const names = clients.map(({name}) => name);

describe.each(names)('%s', name => {
	/** That all events are registered, and with one command, is proven in `status.test.ts`. */
	test('a registered event reaches the program silently', async () => {
		const one = world();
		installHooks(name, one.machine, patientProgram);
		const received = await receive(one.place);
		const event = clientNamed(name).events.at(-1) as string;
		const ends = await start(name, one).fire(event, {prompt: 'secret'});
		expect(ends).toEqual([expect.objectContaining(silent)]);
		const data = {session_id: `${name}-session`, cwd: one.machine.cwd};
		await expect.poll(() => received).toMatchObject([{client: name, event, data}]);
		expect(JSON.stringify(received)).not.toContain('secret');
		expect(one.place.spooled()).toEqual([]);
	});

	test('after an uninstall, nothing runs and the file is gone', async () => {
		const one = world();
		const written = installHooks(name, one.machine, program);
		installHooks(name, one.machine, undefined);
		expect(await start(name, one).fire(clientNamed(name).events[0] as string)).toEqual([]);
		for (const file of written) expect(existsSync(file)).toBe(false);
	});

	test("project settings work as well, their hook runs beside the user's, and without a program, both spool", async () => {
		const one = world();
		installHooks(name, one.machine, program, 'project');
		installHooks(name, one.machine, {...program, launcher: join(one.place.root, 'quarterdeck-hook')});
		const event = clientNamed(name).events[0] as string;
		const ends = await start(name, one).fire(event, {prompt: 'secret'});
		expect(ends).toEqual(Array(2).fill(expect.objectContaining(silent)));
		expect(new Set(ends.map(({command}) => command)).size).toBe(2);
		const data = {session_id: `${name}-session`, cwd: one.machine.cwd};
		expect(one.place.spooled()).toMatchObject(Array(2).fill({client: name, event, data}));
		expect(JSON.stringify(one.place.spooled())).not.toContain('secret');
	});
});

test("a program that hangs doesn't make the client time out", async () => {
	const name = 'claude';
	const one = world();
	installHooks(name, one.machine, program);
	await hang(one.place);
	expect(await start(name, one, false).fire('SessionEnd', {reason: 'other'})).toEqual([
		expect.objectContaining(silent),
	]);
	expect(one.place.spooled()).toMatchObject([{client: name, event: 'SessionEnd', data: {reason: 'other'}}]);
});

describe('claude', () => {
	test('finds its settings in CLAUDE_CONFIG_DIR', async () => {
		const one = world();
		const folder = join(one.home, 'elsewhere');
		const env = {...one.place.env, CLAUDE_CONFIG_DIR: folder};
		installHooks('claude', {...one.machine, env}, program);
		expect(existsSync(join(folder, 'settings.json'))).toBe(true);
		const client = startFakeClient('claude', {home: one.home, cwd: one.machine.cwd, env});
		expect(await client.fire('Stop')).toHaveLength(1);
	});
});

describe('droid', () => {
	test('an install moves the hook to the file that counts', async () => {
		const one = world();
		const settings = put(join(one.home, '.factory', 'settings.json'), '{"model": "x"}');
		installHooks('droid', one.machine, program);
		const hooksFile = put(join(one.home, '.factory', 'hooks.json'), '{}');
		expect(await start('droid', one).fire('Stop')).toEqual([]);
		expect(installHooks('droid', one.machine, program)).toEqual([hooksFile, settings]);
		expect(readFileSync(settings, 'utf8')).toBe('{"model": "x"}');
		expect(await start('droid', one).fire('Stop')).toHaveLength(1);
		rmSync(hooksFile);
	});
});
