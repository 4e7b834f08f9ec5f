import {NotFoundError} from '../api/errors.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import {isStarting, startingTry} from '../domain/starting.ts';
import type {Clock} from '../sync/clock.ts';
import {delay} from './delay.ts';

/** Calls again while what was created a moment ago can't be found yet: a 404 did nothing. */
export async function retryUntilFound<T>(
	known: KnownComputer | KnownSession | undefined,
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
	call: () => Promise<T>,
): Promise<T> {
	for (;;) {
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof NotFoundError) || !isStarting(known, clock.now())) throw error;
			await delay(clock, startingTry, signal);
		}
	}
}
