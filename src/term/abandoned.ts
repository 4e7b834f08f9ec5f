import {readFileSync} from 'node:fs';

/** Between looks, ms: rarely enough to cost nothing at rest. */
const every = 5000;

/**
 * Calls `leave` once when whoever started this process was killed and a shell has taken the terminal back: no signal
 * tells that, and nothing can be read or shown any more. A starter that only went away leaves the terminal to us.
 */
export function watchStarter(leave: () => void): void {
	const starter = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === starter || isInForeground()) return;
		clearInterval(timer);
		leave();
	}, every);
	timer.unref();
}

/** Is our process group the one the terminal belongs to? False where the system doesn't tell. */
function isInForeground(): boolean {
	try {
		// See proc(5): what follows the name, which may hold anything, is state, parent, group, session, terminal, its group.
		const stat = readFileSync('/proc/self/stat', 'latin1');
		const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return group === foreground;
	} catch {
		return false;
	}
}
