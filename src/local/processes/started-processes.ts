import {listProcesses, type ProcStat, readProcStat, readProcVariable} from '../../../hooks/proc-stat.ts';
import {startedByVariable} from '../../../hooks/wire.ts';
import {errorCode} from '../local-error.ts';

/** Processes to end: those in the groups, those with a mark, and all their descendants. */
export type Started = {
	readonly groups: ReadonlySet<number>;
	/** `owner` and `run` are the two parts of a mark. */
	readonly isMarked: (owner: string, run: string) => boolean;
	/** When the first of them started, as in `ProcStat`: reading the environments of all others takes long. */
	readonly since: number;
};

/**
 * Adds a mark to a program's environment, keeping those of a service that this one runs inside: a list of `OWNER.RUN`
 * words. Processes that leave their process group and session (setsid, daemons) still inherit it.
 */
export function withMark(env: NodeJS.ProcessEnv, owner: string, run: string): NodeJS.ProcessEnv {
	const marks = [process.env[startedByVariable], `${owner}.${run}`];
	return {...env, [startedByVariable]: marks.filter(Boolean).join(' ')};
}

/** Time from TERM to KILL, and from KILL to giving up, ms. */
const timeLimit = 1000;
/** Shortest and longest pause between two checks, ms. */
const firstPause = 20;
const maxPause = 100;

/** Ends processes and everything they start in the meantime: TERM, then KILL a second later. */
export async function endProcesses(started: Started): Promise<void> {
	for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
		const signaled = new Set<string>();
		const until = Date.now() + timeLimit;
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

/** Maximum number of rounds, in case processes start others faster than they can be killed. */
const maxRounds = 20;

/** Kills processes and everything they have started, without waiting for their exit. */
export function killProcesses(started: Started): void {
	const killed = new Set<string>();
	for (let round = 0; round < maxRounds; round++) {
		const found = findRunning(started).filter(({id}) => !killed.has(id));
		if (found.length === 0) return;
		for (const {id, send} of found) {
			killed.add(id);
			send('SIGKILL');
		}
	}
}

/** The groups that still have a running process. An empty group's id may be reused by an unrelated one. */
export function liveGroups(groups: ReadonlySet<number>): Set<number> {
	if (process.platform !== 'linux') return new Set([...groups].filter(isGroupAlive));
	const used = new Set(listProcesses().flatMap(({group, session}) => [group, session]));
	return new Set([...groups].filter(group => used.has(group)));
}

/** A running process. `id` stays unique even when another process reuses its pid. */
type Running = {readonly id: string; send(signal: NodeJS.Signals): void};

function findRunning({groups, isMarked, since}: Started): Running[] {
	// Only Linux exposes process environments: elsewhere, processes that left their group can't be found.
	if (process.platform !== 'linux')
		return [...groups].filter(isGroupAlive).map(group => ({
			id: `${group}`,
			send: signal => sendSignal(-group, signal),
		}));
	const processes = listProcesses().filter(({pid, start}) => pid !== process.pid && Number(start) >= since);
	const isStarted = ({pid, group, session}: ProcStat) =>
		groups.has(group) ||
		groups.has(session) ||
		(readProcVariable(pid, startedByVariable) ?? '').split(' ').some(mark => {
			const dot = mark.lastIndexOf('.');
			return isMarked(mark.slice(0, dot), mark.slice(dot + 1));
		});
	const found = new Set(processes.filter(isStarted));
	// Processes that cleared their environment are found by their parent. The set grows during the loop.
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
		// It has just exited, or now runs as another user.
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
