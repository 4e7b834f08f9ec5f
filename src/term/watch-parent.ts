import {askJobState} from './job-state.ts';

/** Between looks, ms: rarely enough to cost nothing at rest. */
const every = 5000;

/**
 * Calls `leave` once when whoever started this process was killed and a shell has taken the terminal back: no signal
 * tells that, and nothing can be read or shown any more. A starter that only went away leaves the terminal to us.
 */
export function watchParent(leave: () => void): void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent || askJobState() === 'foreground') return;
		clearInterval(timer);
		leave();
	}, every);
	timer.unref();
}
