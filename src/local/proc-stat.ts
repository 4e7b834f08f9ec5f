import {readdirSync, readFileSync} from 'node:fs';

/** What Linux tells of a process in /proc. `start` names its start uniquely on this boot. */
export type ProcStat = {readonly group: number; readonly isDead: boolean; readonly start: string};

/** Undefined when there is no such process, or no /proc. */
export function readProcStat(pid: number): ProcStat | undefined {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// After the command's name in parentheses: state, parent, process group; the start time is the 20th.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const [state = '', , group] = fields;
		return {group: Number(group), isDead: state === 'Z' || state === 'X', start: fields[19] ?? ''};
	} catch {
		return undefined;
	}
}

/** Has the group a member that runs? The dead count as members until somebody collects them. */
export function hasLiveMember(group: number): boolean {
	return readdirSync('/proc').some(name => {
		const stat = /^\d+$/.test(name) ? readProcStat(Number(name)) : undefined;
		return stat?.group === group && !stat.isDead;
	});
}

/** Names this boot of the machine; empty without /proc. */
export function bootId(): string {
	try {
		return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
	} catch {
		return '';
	}
}
