import {bootId, readProcStat} from '../../../hooks/proc-stat.ts';
import type {Storage} from '../storage/open-storage.ts';
import {killProcesses} from './started-processes.ts';

/** Records process groups on disk, so that the next service can end those that a killed one left running. */
export type ProcessLedger = ReturnType<typeof openProcessLedger>;

/**
 * Opens the ledger after ending all processes of services that are dead. Needs /proc to record or end any. `instance` is
 * this start of the service.
 */
export function openProcessLedger({processes, services}: Storage, instance: string) {
	const boot = bootId();
	// Process ids are reused: only a process with the same start time is the recorded one.
	const markOf = (pid: number) => {
		const start = readProcStat(pid)?.start;
		return start === undefined ? undefined : `${boot} ${start}`;
	};
	const knownServices = services.all();
	// In a copied folder, the service of the original still runs.
	const isRunning = (owner: string) =>
		knownServices.some(
			({instance: id, pid, mark}) => id === owner && markOf(pid) === mark && !readProcStat(pid)?.isDead,
		);
	const deadServices = knownServices.filter(service => !isRunning(service.instance));
	const deadGroups = processes.all().filter(group => !isRunning(group.instance));
	const deadInstances = new Set([...deadServices, ...deadGroups].map(row => row.instance));
	if (deadInstances.size > 0)
		killProcesses({
			groups: new Set(
				deadGroups.filter(({groupId, mark}) => markOf(groupId) === mark).map(({groupId}) => groupId),
			),
			isMarked: owner => deadInstances.has(owner),
		});
	for (const {groupId, instance: owner} of deadGroups) processes.remove(groupId, owner);
	for (const {instance: owner} of deadServices) services.remove(owner);

	const ownMark = markOf(process.pid);
	if (ownMark !== undefined)
		ignoreFullDisk(() => services.add({instance: instance, pid: process.pid, mark: ownMark}));
	return {
		/** `group` is a process group id. */
		add(group: number): void {
			const mark = markOf(group);
			if (mark !== undefined) ignoreFullDisk(() => processes.add({groupId: group, instance: instance, mark}));
		},
		remove(group: number): void {
			ignoreFullDisk(() => processes.remove(group, instance));
		},
		/** Call when no process started by this service is running any more. */
		close(): void {
			ignoreFullDisk(() => services.remove(instance));
		},
	};
}

/** A full disk must not keep a program from running or ending. */
function ignoreFullDisk(write: () => void): void {
	try {
		write();
	} catch {
		// A missing entry is acceptable; the mark of a stale one matches no later process.
	}
}
