import type {Clock} from '../../sync/core/clock.ts';

/** Waits `ms`. Rejects with the signal's reason if aborted first. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	if (signal.aborted) reject(signal.reason);
	const onAbort = () => {
		cancel();
		reject(signal.reason);
	};
	const cancel = clock.after(ms, () => {
		signal.removeEventListener('abort', onAbort);
		resolve();
	});
	signal.addEventListener('abort', onAbort, {once: true});
	return promise;
}
