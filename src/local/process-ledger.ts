import type {Instance} from './instance.ts';
import {bootId, readProcStat} from './proc-stat.ts';
import type {Storage} from './storage/open-storage.ts';

/** Remembers on disk which process groups run, so that the next service can end what a killed one has left. */
export type ProcessLedger = {add(group: number): void; remove(group: number): void};

/** A ledger, after the groups of instances that are gone were ended. Without /proc nothing is kept or ended. */
export function openProcessLedger({processes}: Storage, instance: Instance): ProcessLedger {
	const boot = bootId();
	// The number of a process is given to another in time: only one with the same start is ours.
	const markOf = (group: number) => {
		const start = readProcStat(group)?.start;
		return start === undefined ? undefined : `${boot} ${start}`;
	};
	for (const {group, instance: owner, mark} of processes.all()) {
		if (instance.isAlive(owner)) continue;
		if (markOf(group) === mark) endAtOnce(group);
		processes.remove(group, owner);
	}
	return {
		add(group) {
			const mark = markOf(group);
			if (mark !== undefined) unlessFull(() => processes.add(group, instance.id, mark));
		},
		remove(group) {
			unlessFull(() => processes.remove(group, instance.id));
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

function endAtOnce(group: number): void {
	try {
		process.kill(-group, 'SIGKILL');
	} catch {
		// It has just ended by itself.
	}
}
