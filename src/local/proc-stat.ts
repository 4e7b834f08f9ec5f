import {readdirSync, readFileSync} from 'node:fs';

/** What Linux says of a process in /proc. `start` names its start uniquely on this boot. */
export type ProcStat = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	readonly isDead: boolean;
	readonly start: string;
};

/** Undefined when there is no such process, or no /proc. */
export function readProcStat(pid: number): ProcStat | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// After the command's name in parentheses: state, parent, process group, session; the start time is the 20th.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const [state = '', parent, group, session] = fields;
		return {
			pid,
			parent: Number(parent),
			group: Number(group),
			session: Number(session),
			isDead: state === 'Z' || state === 'X',
			start: fields[19] ?? '',
		};
	} catch {
		return undefined;
	}
}

/** Every process that runs; the dead stay listed until somebody collects them, and are left out. */
export function listProcesses(): ProcStat[] {
	return readdirSync('/proc').flatMap(name => {
		const stat = /^\d+$/.test(name) ? readProcStat(Number(name)) : undefined;
		return stat && !stat.isDead ? [stat] : [];
	});
}

/** A variable of the environment with which a process was started; undefined also where we may not look. */
export function readProcVariable(pid: number, name: string): string | undefined {
	try {
		const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
		return entries.find(entry => entry.startsWith(`${name}=`))?.slice(name.length + 1);
	} catch {
		return undefined;
	}
}

/** Names this boot of the machine; empty without /proc. */
export function bootId(): string {
	try {
		return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
	} catch {
		return '';
	}
}
