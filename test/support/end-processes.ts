import {tmpdir} from 'node:os';
import {setTimeout as delay} from 'node:timers/promises';
import {listProcesses, readProcVariable} from '../../hooks/proc-stat.ts';
import {isAlive} from './is-alive.ts';

function running(home: string): number[] {
	// Never what a user has running.
	if (!home.startsWith(`${tmpdir()}/`)) throw new Error(`${home} is not a temporary home`);
	return listProcesses()
		.map(({pid}) => pid)
		.filter(pid => pid !== process.pid && readProcVariable(pid, 'HOME') === home);
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
	for (const pid of pids)
		try {
			process.kill(pid, signal);
		} catch {
			// It has just ended.
		}
}

/** Ends what programs with this home left running: the embedded service, with its agents. Needs /proc. */
export async function endProcesses(home: string): Promise<void> {
	const pids = running(home);
	send(pids, 'SIGTERM');
	for (let waits = 0; waits < 250 && pids.some(isAlive); waits++) await delay(20);
	killProcesses(home);
}

/** The same at once. */
export function killProcesses(home: string): void {
	send(running(home), 'SIGKILL');
}
