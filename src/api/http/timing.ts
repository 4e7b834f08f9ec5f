import type {Clock} from '../../domain/clock.ts';

export type Timing = Clock & {
	/** A random number from 0 (inclusive) to 1 (exclusive). */
	random?(): number;
};

/** Waits `ms`. Rejects with the signal's reason if it aborts first. */
export function delay(timing: Timing, ms: number, signal?: AbortSignal): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	if (signal?.aborted) return Promise.reject(signal.reason);
	const onAbort = () => {
		cancel();
		reject(signal?.reason);
	};
	const cancel = timing.after(ms, () => {
		signal?.removeEventListener('abort', onAbort);
		resolve();
	});
	signal?.addEventListener('abort', onAbort, {once: true});
	return promise;
}
