import type {Clock} from './clock.ts';

/** Waits until the work has ended, but no longer than `ms`. How it ended is for whoever awaits the work itself. */
export function waitWithTimeout(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
	return new Promise(resolve => {
		const cancel = clock.after(ms, resolve);
		const end = () => {
			cancel();
			resolve();
		};
		work.then(end, end);
	});
}
