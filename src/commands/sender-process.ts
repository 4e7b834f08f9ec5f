import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';

/** A unique name for this process that lets others check whether it still runs. */
export function nameThisProcess(): string {
	return JSON.stringify([hostname(), process.pid, startOf(process.pid), randomUUID()]);
}

/** Whether the named process still runs. A process of another machine or container counts as ended. */
export function isProcessAlive(name: string): boolean {
	const [host, pid, start] = parts(name);
	if (host !== hostname() || typeof pid !== 'number') return false;
	try {
		process.kill(pid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
	}
	// The system reuses process ids, so compare start times.
	return startOf(pid) === start;
}

/** The start time of a process, which tells apart processes that reuse a pid; empty without /proc. */
function startOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// Fields follow the command name in parentheses; the start time since boot is the 20th of them.
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
