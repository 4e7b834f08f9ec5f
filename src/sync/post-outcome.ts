import {
	ForbiddenError,
	isServiceError,
	NotFoundError,
	RateLimitedError,
	UnauthorisedError,
} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {DeliveryEvent, OutboxItem} from '../domain/delivery.ts';
import {backOff} from './back-off.ts';

/** What an answer stops until the user acts: `all` posts (a bad key), those of the `session` (no right, no credit). */
export type Hold = 'all' | 'session';

/** How long a message whose answer was lost is looked for, ms (SERVICE-NOTES, Sending). */
export const lookTime = 120_000;

/** What a failed post means for the row that was on the wire (RELIABILITY, HTTP, column "post message"). */
export function eventAfterError(
	item: OutboxItem,
	error: unknown,
	{
		now,
		random,
		isStarting,
	}: {
		now: number;
		random: () => number;
		/** The session may have been made a moment ago: a 404 says no more than that it isn't found yet. */
		isStarting: boolean;
	},
): DeliveryEvent {
	const problem = problemOf(error);
	const later = now + backOff(item.tries, random);
	switch (outcomeOf(error)) {
		case 'not-sent':
			return {type: 'notSent', problem, notBefore: later};
		case 'wait':
			return {
				type: 'rateLimited',
				problem,
				notBefore: error instanceof RateLimitedError ? now + error.retryAfter : later,
			};
		case 'held':
			if (!(error instanceof NotFoundError)) return {type: 'held', problem};
			return isStarting ? {type: 'notSent', problem, notBefore: later} : {type: 'refused', problem};
		case 'refused':
			return {type: 'refused', problem};
		case 'unknown':
			return {type: 'lost', problem, lookUntil: now + lookTime};
	}
}

export function holdOf(error: unknown): Hold | undefined {
	if (error instanceof UnauthorisedError) return 'all';
	return error instanceof ForbiddenError ? 'session' : undefined;
}

function problemOf(error: unknown): string {
	if (isServiceError(error)) return error.what;
	return error instanceof Error ? error.message : String(error);
}
