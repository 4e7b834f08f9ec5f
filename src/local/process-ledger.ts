import type {Instance} from './instance.ts';
import {bootId, readProcStat} from './proc-stat.ts';
import {killProcesses} from './started-processes.ts';
import type {Storage} from './storage/open-storage.ts';

/** Remembers on disk what runs, so that the next service can end what a killed one has left. */
export type ProcessLedger = {
	/** `group` is the number of a process group. */
	add(group: number): void;
	remove(group: number): void;
	/** Nothing that this service has started runs any more. */
	close(): void;
};

/** A ledger, after everything that services which are gone have left was ended. Without /proc nothing is kept or ended. */
export function openProcessLedger({processes, services}: Storage, instance: Instance): ProcessLedger {
	const boot = bootId();
	// The number of a process is given to another in time: only one with the same start is meant.
	const markOf = (pid: number) => {
		const start = readProcStat(pid)?.start;
		return start === undefined ? undefined : `${boot} ${start}`;
	};
	const listed = services.all();
	// A copy of the folder lacks the lock of a service that runs over the original: its process tells.
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
		// Then the ledger lacks a line, or has one too many, whose mark fits nothing later.
	}
}
