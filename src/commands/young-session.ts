import {NotFoundError} from '../api/errors.ts';
import type {KnownSession} from '../domain/known.ts';
import type {Clock} from '../sync/clock.ts';
import {delay} from './delay.ts';

/** How long a session that was made here may go on answering 404, ms (SERVICE-NOTES, trap 6). */
const notFoundYet = 60_000;
const pause = 1000;

/** Calls again while a session that was created a moment ago can't be found yet: a 404 did nothing. */
export async function untilFound<T>(
	known: KnownSession | undefined,
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
	call: () => Promise<T>,
): Promise<T> {
	const end = known?.origin === 'created' ? known.addedAt + notFoundYet : Number.NEGATIVE_INFINITY;
	for (;;) {
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof NotFoundError) || clock.now() >= end) throw error;
			await delay(clock, pause, signal);
		}
	}
}
