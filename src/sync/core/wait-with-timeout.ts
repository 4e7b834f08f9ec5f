import type {Clock} from '../../domain/clock.ts';

/** Waits until the work settles, at most `ms`. Ignores its result; the caller awaits the work itself. */
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
