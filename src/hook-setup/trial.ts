import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {mkdtempSync, rmdirSync, unlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {currentEnvironment, openRuntimeFolder, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {systemClock} from '../domain/clock.ts';
import {ifPossible} from '../domain/if-possible.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';
import {startHookReceiver} from '../hook-listeners/hook-receiver.ts';
import {readSpool} from './listeners.ts';

/** One run of an installed command. It passed if there are no problems. */
type TrialResult = {
	/** Wall time, ms. */
	readonly ms: number;
	readonly outcome: 'acknowledged' | 'spooled' | 'lost';
	readonly problems: readonly string[];
};

type TrialOptions = {
	/** The exact installed string. */
	readonly command: string;
	readonly event: string;
	readonly home: string;
	readonly abort?: AbortSignal;
};

/** After this long (ms) a hook counts as hung. */
const timeLimit = 10_000;

/**
 * Runs an installed command with `sh -c` and a test event, in the environment of a client started by a desktop or by
 * cron. Leaves nothing behind but the event in running programs.
 */
export async function runTrial({command, event, home, abort}: TrialOptions): Promise<TrialResult> {
	const environment = {...currentEnvironment(), env: {HOME: home, PATH: '/usr/bin:/bin'}};
	const session = `quarterdeck-test-${randomBytes(6).toString('hex')}`;
	const payload = {session_id: session, hook_event_name: event, quarterdeck_test: true, cwd: '/'};
	const endListening = await listenFor(session, environment);
	const start = performance.now();
	const input = JSON.stringify({...payload, message: 'a test event from quarterdeck hooks test'});
	const {code, signal, output} = await runCommand(command, {env: environment.env, input, abort});
	const ms = performance.now() - start;
	const hasArrived = await endListening();
	const waiting = readSpool(environment).filter(({envelope}) => envelope.data.session_id === session);
	for (const {file} of waiting) unlinkSync(file);
	const outcome = hasArrived ? 'acknowledged' : waiting.length > 0 ? 'spooled' : 'lost';
	const problems = [
		...(code === 0 ? [] : [`it exited with ${signal ?? code}, not 0`]),
		...(output === '' ? [] : [`it printed: ${output}`]),
		...(outcome === 'lost' ? ['the event was lost'] : []),
	];
	return {ms, outcome, problems};
}

type CommandRun = {
	/** The complete environment; nothing is inherited. */
	readonly env: {readonly [name: string]: string};
	readonly input: string;
	readonly abort?: AbortSignal | undefined;
};

/** Runs a command string as a client does: with `sh -c` and JSON on standard input. */
export async function runCommand(command: string, {env, input, abort}: CommandRun) {
	const options = {env, cwd: '/', timeout: timeLimit, killSignal: 'SIGKILL', signal: abort} as const;
	const running = promisify(execFile)('/bin/sh', ['-c', command], options);
	// A command that does nothing doesn't read its input either.
	running.child.stdin?.on('error', () => {}).end(input);
	const {code = 0, signal, stdout, stderr} = await running.catch(error => error);
	return {code, signal, output: `${stdout}${stderr}`};
}

/**
 * Listens for the events of a session where a hook looks for programs, and leaves all other events to those. Returns the
 * function that ends it and says whether an event has arrived. If the folder isn't ours, hooks spool.
 */
async function listenFor(session: string, environment: RuntimeEnvironment): Promise<() => Promise<boolean>> {
	const folder = ifPossible(() => openRuntimeFolder(environment));
	if (folder === undefined) return async () => false;
	const spoolFolder = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'));
	let hasArrived = false;
	const receiver = await startHookReceiver({
		folder,
		spoolFolder,
		clock: systemClock,
		onEvents(events: readonly HookEvent[]) {
			if (!events.every(({data}) => data.session_id === session)) throw new Error('not an event of the test');
			hasArrived = true;
		},
		// Then the event is spooled, or lost.
		onProblem() {},
	});
	return async () => {
		await receiver.close();
		rmdirSync(spoolFolder);
		return hasArrived;
	};
}
