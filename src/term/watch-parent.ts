import {askJobState} from './job-state.ts';

/** Interval between checks, ms: long enough to cost nothing when idle. */
const every = 5000;

/**
 * Calls `leave` once if our parent process was killed and a shell has taken the terminal back: no signal
 * reports that, and nothing can be read or shown anymore. A parent that merely exited leaves the terminal to
 * us.
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
