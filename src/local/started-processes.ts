import {errorCode} from './local-error.ts';
import {listProcesses, type ProcStat, readProcStat, readProcVariable} from './proc-stat.ts';

/**
 * Variable by which everything that a service starts can be found again, wherever it goes: it is inherited by what
 * leaves its process group and session (setsid, daemons). Its words are `INSTANCE.RUN`, one for each service above.
 */
const markVariable = 'QUARTERDECK_STARTED_BY';

/** Processes to be ended: those of the process groups, those that carry a mark, and what these have started. */
export type Started = {
	readonly groups: ReadonlySet<number>;
	/** `instance` and `run` are a mark's two parts. */
	readonly isMarked: (instance: string, run: string) => boolean;
};

/** The environment of a program, with its mark. A service inside another one's agent adds to the other's marks. */
export function withMark(env: NodeJS.ProcessEnv, instance: string, run: string): NodeJS.ProcessEnv {
	const marks = [process.env[markVariable], `${instance}.${run}`];
	return {...env, [markVariable]: marks.filter(Boolean).join(' ')};
}

/** From TERM to KILL, and from KILL to giving up, ms. */
const patience = 1000;
/** Pauses between two looks at what is left, ms. */
const firstPause = 20;
const maxPause = 100;

/** Ends processes: TERM, a second later KILL. What they start meanwhile is ended too. */
export async function endProcesses(started: Started): Promise<void> {
	for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
		const signaled = new Set<string>();
		const until = Date.now() + patience;
		for (let pause = firstPause; ; pause = Math.min(maxPause, pause * 1.5)) {
			const found = findRunning(started);
			if (found.length === 0) return;
			for (const {id, send} of found) if (!signaled.has(id)) send(signal);
			for (const {id} of found) signaled.add(id);
			if (Date.now() > until) break;
			await new Promise(resolve => setTimeout(resolve, pause));
		}
	}
}

/** What starts others faster than we kill them isn't looked for more often than this. */
const maxChecks = 20;

/** Kills processes, and what they have started by then, without waiting for their end. */
export function killProcesses(started: Started): void {
	const killed = new Set<string>();
	for (let look = 0; look < maxChecks; look++) {
		const found = findRunning(started).filter(({id}) => !killed.has(id));
		if (found.length === 0) return;
		for (const {id, send} of found) {
			killed.add(id);
			send('SIGKILL');
		}
	}
}

/** Those of the groups in which somebody still runs. The number of a group without anyone may go to a stranger. */
export function liveGroups(groups: ReadonlySet<number>): Set<number> {
	if (process.platform !== 'linux') return new Set([...groups].filter(isGroupAlive));
	const used = new Set(listProcesses().flatMap(({group, session}) => [group, session]));
	return new Set([...groups].filter(group => used.has(group)));
}

/** Something that runs. `id` is its own, also when another process gets its number later. */
type Running = {readonly id: string; send(signal: NodeJS.Signals): void};

function findRunning({groups, isMarked}: Started): Running[] {
	// Elsewhere nobody tells the environment of a process: what has left its group can't be found.
	if (process.platform !== 'linux')
		return [...groups].filter(isGroupAlive).map(group => ({
			id: `${group}`,
			send: signal => sendSignal(-group, signal),
		}));
	const processes = listProcesses().filter(({pid}) => pid !== process.pid);
	const isStarted = ({pid, group, session}: ProcStat) =>
		groups.has(group) ||
		groups.has(session) ||
		(readProcVariable(pid, markVariable) ?? '').split(' ').some(mark => {
			const dot = mark.lastIndexOf('.');
			return isMarked(mark.slice(0, dot), mark.slice(dot + 1));
		});
	const found = new Set(processes.filter(isStarted));
	// What has emptied its environment is known by its parent. The set grows while it is walked.
	const children = Map.groupBy(processes, ({parent}) => parent);
	for (const {pid} of found) for (const child of children.get(pid) ?? []) found.add(child);
	return [...found].map(({pid, start}) => ({
		id: `${pid} ${start}`,
		send(signal) {
			if (readProcStat(pid)?.start === start) sendSignal(pid, signal);
		},
	}));
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
	try {
		process.kill(target, signal);
	} catch {
		// It has just ended, or runs as another user now.
	}
}

function isGroupAlive(group: number): boolean {
	try {
		process.kill(-group, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}
