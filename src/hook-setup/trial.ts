import {randomBytes} from 'node:crypto';
import {mkdtempSync, rmdirSync, unlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {currentEnvironment, openRuntimeFolder, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {systemClock} from '../domain/clock.ts';
import {ifPossible} from '../domain/if-possible.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';
import {startHookReceiver} from '../hook-listeners/hook-receiver.ts';
import {readSpool} from './listeners.ts';
import {runCommand} from './run-command.ts';

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

/**
 * Runs an installed command with `sh -c` and a test event, in the environment of a client started by a desktop or by
 * cron. Leaves nothing behind but the event in running programs.
 */
export async function runTrial({command, event, home, abort}: TrialOptions): Promise<TrialResult> {
	const env = {HOME: home, PATH: '/usr/bin:/bin'};
	const session = `quarterdeck-test-${randomBytes(6).toString('hex')}`;
	const payload = {session_id: session, hook_event_name: event, quarterdeck_test: true, cwd: '/'};
	const input = JSON.stringify({...payload, message: 'a test event from quarterdeck hooks test'});
	const here = currentEnvironment();
	const environments: readonly RuntimeEnvironment[] = [{...here, env}, here];
	const arrival = await listenFor(session, environments);
	const {code, signal, output, ms} = await runCommand(command, {env, input, abort});
	const hasArrived = await arrival.end();
	const waiting = environments
		.flatMap(readSpool)
		.filter(({envelope}) => envelope.data.session_id === session);
	for (const file of new Set(waiting.map(one => one.file))) unlinkSync(file);
	const outcome = hasArrived ? 'acknowledged' : waiting.length > 0 ? 'spooled' : 'lost';
	const problems = [
		...(code === 0 ? [] : [`it exited with ${signal ?? code}, not 0`]),
		...(output === '' ? [] : [`it printed: ${output}`]),
		...(outcome === 'lost' ? ['the event was lost'] : []),
	];
	return {ms, outcome, problems};
}

/** Listens for the events of a session where hooks look for programs. Leaves all other events to other programs. */
async function listenFor(session: string, environments: readonly RuntimeEnvironment[]) {
	const noSpool = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'));
	let hasArrived = false;
	const onEvents = (events: readonly HookEvent[]) => {
		if (!events.every(({data}) => data.session_id === session)) throw new Error('not an event of the test');
		hasArrived = true;
	};
	const receivers = await Promise.all(
		[...new Set(environments.flatMap(folderToListenIn))].map(folder =>
			startHookReceiver({
				folder,
				spoolFolder: noSpool,
				clock: systemClock,
				onEvents,
				// Then the event is spooled, or lost.
				onProblem() {},
			}),
		),
	);
	return {
		async end(): Promise<boolean> {
			await Promise.all(receivers.map(receiver => receiver.close()));
			rmdirSync(noSpool);
			return hasArrived;
		},
	};
}

/** None if another user's folder is in its place: then hooks spool. */
function folderToListenIn(environment: RuntimeEnvironment): readonly string[] {
	return ifPossible(() => [openRuntimeFolder(environment)]) ?? [];
}
