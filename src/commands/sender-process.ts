import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';

/** Names this process: unlike any other, and so that others can find out whether it still runs. */
export function nameThisProcess(): string {
	return JSON.stringify([hostname(), process.pid, startOf(process.pid), randomUUID()]);
}

/** Does the process of that name still run? One of another machine, or of another container, counts as ended. */
export function isProcessAlive(name: string): boolean {
	const [host, pid, start] = parts(name);
	if (host !== hostname() || typeof pid !== 'number') return false;
	try {
		process.kill(pid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
	}
	// The number of a process is given to another in time.
	return startOf(pid) === start;
}

/** Another text for each process that has the number in turn; empty without /proc. */
function startOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// After the command's name in parentheses; the start time, since boot, is the 20th field from there.
		return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
	} catch {
		return '';
	}
}

function parts(name: string): unknown[] {
	try {
		const read: unknown = JSON.parse(name);
		return Array.isArray(read) ? read : [];
	} catch {
		return [];
	}
}
