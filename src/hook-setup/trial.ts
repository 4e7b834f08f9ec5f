import {randomBytes} from 'node:crypto';
import {unlinkSync} from 'node:fs';
import {currentEnvironment, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {findListeners, readSpool} from './listeners.ts';
import {runCommand} from './run-command.ts';

/** One run of an installed command. It passed if there are no problems. */
export type TrialResult = {
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
	const {code, signal, output, ms} = await runCommand(command, {env, input, abort});
	const here = currentEnvironment();
	const environments: readonly RuntimeEnvironment[] = [{...here, env}, here];
	const waiting = environments
		.flatMap(readSpool)
		.filter(({envelope}) => envelope.data.session_id === session);
	for (const file of new Set(waiting.map(one => one.file))) unlinkSync(file);
	const listeners = (await Promise.all(environments.map(findListeners))).flat();
	const isTaken = listeners.some(({isLive}) => isLive);
	const outcome = waiting.length > 0 ? 'spooled' : isTaken ? 'acknowledged' : 'lost';
	const problems = [
		...(code === 0 ? [] : [`it exited with ${signal ?? code}, not 0`]),
		...(output === '' ? [] : [`it printed: ${output}`]),
		...(outcome === 'lost' ? ['the event was lost'] : []),
	];
	return {ms, outcome, problems};
}
