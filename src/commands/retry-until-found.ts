import {NotFoundError} from '../api/errors.ts';
import type {KnownComputer, KnownSession} from '../domain/known.ts';
import {isStarting, startingTry} from '../domain/starting.ts';
import type {Clock} from '../sync/core/clock.ts';
import {delay} from './cli/delay.ts';

/** Retries while the service doesn't find a newly created object yet. Safe because a 404 has no effect. */
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
