import {bootId, readProcStat} from '../../hooks/proc-stat.ts';
import type {Instance} from './instance.ts';
import {killProcesses} from './started-processes.ts';
import type {Storage} from './storage/open-storage.ts';

/** Records process groups on disk, so that the next service can end what a killed one left behind. */
export type ProcessLedger = {
	/** `group` is a process group id. */
	add(group: number): void;
	remove(group: number): void;
	/** Call when no process started by this service is running any more. */
	close(): void;
};

/**
 * Opens the ledger after ending all processes of services that are gone. Needs /proc to record or end any.
 */
export function openProcessLedger({processes, services}: Storage, instance: Instance): ProcessLedger {
	const boot = bootId();
	// Process ids are reused: only a process with the same start time is the recorded one.
	const markOf = (pid: number) => {
		const start = readProcStat(pid)?.start;
		return start === undefined ? undefined : `${boot} ${start}`;
	};
	const listed = services.all();
	// A copied folder lacks the lock of a service running over the original, so also check that service's
	// process.
	const isRunning = (owner: string) => {
		const service = listed.find(({instance: id}) => id === owner);
		return instance.isAlive(owner) || (service !== undefined && markOf(service.pid) === service.mark);
	};
	const goneServices = listed.filter(service => !isRunning(service.instance));
	const goneGroups = processes.all().filter(group => !isRunning(group.instance));
	const gone = new Set([...goneServices, ...goneGroups].map(row => row.instance));
	if (gone.size > 0)
		killProcesses({
			groups: new Set(goneGroups.filter(({group, mark}) => markOf(group) === mark).map(({group}) => group)),
			isMarked: owner => gone.has(owner),
		});
	for (const {group, instance: owner} of goneGroups) processes.remove(group, owner);
	for (const {instance: owner} of goneServices) services.remove(owner);

	const own = markOf(process.pid);
	if (own !== undefined) unlessFull(() => services.add(instance.id, process.pid, own));
	return {
		add(group) {
			const mark = markOf(group);
			if (mark !== undefined) unlessFull(() => processes.add(group, instance.id, mark));
		},
		remove(group) {
			unlessFull(() => processes.remove(group, instance.id));
		},
		close() {
			unlessFull(() => services.remove(instance.id));
		},
	};
}

/** A full disk must not keep a program from running or ending. */
function unlessFull(write: () => void): void {
	try {
		write();
	} catch {
		// A missing entry is acceptable; the mark of a stale one matches no later process.
	}
}
