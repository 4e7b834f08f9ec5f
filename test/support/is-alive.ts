import {existsSync, readFileSync} from 'node:fs';

/** A process that ended stays in the table until its new parent looks: that one counts as ended. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return !['Z', 'ended'].includes(processState(pid) ?? '');
}

/**
 * proc(5): `R` running, `S` sleeping, `T` stopped, `Z` ended and not waited for; `ended` when it is gone; undefined
 * where there is no /proc.
 */
export function processState(pid: number): string | undefined {
	if (!existsSync('/proc/self/stat')) return undefined;
	try {
		return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
	} catch {
		return 'ended';
	}
}
