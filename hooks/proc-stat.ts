import {closeSync, openSync, readdirSync, readFileSync, readSync} from 'node:fs';

/** A process's entry in Linux's /proc. `start` identifies its start uniquely within this boot. */
export type ProcStat = {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	readonly isDead: boolean;
	readonly start: string;
};

/** Longer than any entry, and used again and again: a machine has hundreds of processes. */
const entry = Buffer.alloc(4096);

/** Undefined when there is no such process, or no /proc. */
export function readProcStat(pid: number): ProcStat | undefined {
	let file: number | undefined;
	try {
		file = openSync(`/proc/${pid}/stat`, 'r');
		const stat = entry.toString('latin1', 0, readSync(file, entry));
		// Fields after the parenthesized command name: state, parent, process group, session; 20th: the start
		// time.
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
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

/** All running processes, without zombies. */
export function listProcesses(): ProcStat[] {
	return readdirSync('/proc').flatMap(name => {
		const stat = /^\d+$/.test(name) ? readProcStat(Number(name)) : undefined;
		return stat && !stat.isDead ? [stat] : [];
	});
}

/** A variable from a process's initial environment; undefined also when access is denied. */
export function readProcVariable(pid: number, name: string): string | undefined {
	try {
		const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
		return entries.find(entry => entry.startsWith(`${name}=`))?.slice(name.length + 1);
	} catch {
		return undefined;
	}
}
