import {isServiceError, NotFoundError, outcomeOf, type ServiceError} from '../../api/errors.ts';
import {delay} from '../../api/http/timing.ts';
import type {Service} from '../../api/service.ts';
import type {Clock} from '../../domain/clock.ts';
import {isStarting, type KnownComputer, type KnownSession, startingRetryDelay} from '../../domain/known.ts';
import {atComputer} from '../../sync/messages/listing.ts';
import {Thread, type ThreadOptions} from '../../sync/messages/thread.ts';

type OpenOptions = ThreadOptions & {readonly service: Service; readonly computerId?: string};

/** One session's messages for a command, those of the cache first. */
export function openThread({service, computerId, ...options}: OpenOptions) {
	const thread = new Thread(options);
	thread.window.loadCached();
	const reading = (signal: AbortSignal) =>
		atComputer(query => service.messages.list(options.sessionId, query, {signal}), computerId);
	return {
		thread,
		newest: (count: number, signal: AbortSignal) => thread.newest(reading(signal), count),
		update: (signal: AbortSignal) => thread.update(reading(signal)),
	};
}

/** Whether a failure is temporary: the request may succeed if it is made again. */
export function isTemporary(error: unknown): error is ServiceError {
	return isServiceError(error) && ['not-sent', 'wait', 'unknown'].includes(outcomeOf(error));
}

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
			await delay(clock, startingRetryDelay, signal);
		}
	}
}
