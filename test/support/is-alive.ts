import {existsSync, readFileSync} from 'node:fs';

/** A process that ended stays in the table until its new parent looks: that one counts as ended. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return processState(pid) !== 'Z';
}

/** proc(5): `R` running, `S` sleeping, `T` stopped, `Z` ended and not waited for; absent where there is no /proc. */
export function processState(pid: number): string | undefined {
	const stat = `/proc/${pid}/stat`;
	return existsSync(stat) ? /\) (\w) /.exec(readFileSync(stat, 'utf8'))?.[1] : undefined;
}
