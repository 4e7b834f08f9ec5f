import {
	isServiceError,
	LostAnswerError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../../api/errors.ts';
import {backoff, isOver} from '../../domain/backoff.ts';
import type {Clock} from './clock.ts';

/**
 * Why requests are blocked. `until` is Unix ms; without it, requests stay blocked until there is a new key.
 */
export type Block = {
	readonly kind: 'unauthorized' | 'slowed' | 'offline';
	readonly until?: number;
	readonly since: number;
	readonly cause: unknown;
};

/** Circuit breaker for all requests: blocks after a 401, delays after a 429 or 503, probes when offline. */
export type CircuitBreaker = {
	readonly block: Block | undefined;
	/** Returns whether a request may be sent now. `inFlight` is the number of requests under way. */
	allowsRequest(isUrgent: boolean, inFlight: number): boolean;
	succeeded(): void;
	failed(error: unknown): void;
	/** Clears any block. */
	reset(): void;
};

/** One lost answer may concern that request only; this many in a row mean that the service is offline. */
const maxLostInARow = 2;

export function createCircuitBreaker(clock: Clock, random: () => number): CircuitBreaker {
	let block: Block | undefined;
	let failures = 0;
	let lost = 0;

	function reset(): void {
		block = undefined;
		failures = 0;
		lost = 0;
	}

	function wait(kind: 'slowed' | 'offline', ms: number, cause: unknown): void {
		const since = clock.now();
		const until = since + ms;
		if (block?.kind === 'unauthorized' || (kind === 'slowed' && isInEffect() && (block?.until ?? 0) > until))
			return;
		block = {kind, since, until, cause};
	}

	function isInEffect(): boolean {
		if (!block) return false;
		const {since, until} = block;
		return until === undefined || !isOver({since, until}, clock.now());
	}

	function goOffline(cause: unknown): void {
		wait('offline', backoff(failures++, random()), cause);
	}

	return {
		get block() {
			return block;
		},
		allowsRequest(isUrgent, inFlight) {
			if (!block) return true;
			if (block.until === undefined) return false;
			const isPast = !isInEffect();
			if (block.kind === 'offline') return (isPast && inFlight === 0) || isUrgent;
			if (isPast) block = undefined;
			return isPast;
		},
		succeeded: reset,
		failed(error) {
			if (error instanceof UnauthorizedError)
				block = {kind: 'unauthorized', since: clock.now(), cause: error};
			else if (error instanceof RateLimitedError) wait('slowed', error.retryAfter, error);
			else if (error instanceof UnreachableError) goOffline(error);
			else if (error instanceof LostAnswerError) {
				if (++lost >= maxLostInARow) goOffline(error);
			} else if (isServiceError(error) && error.status !== undefined && block?.kind === 'offline') reset();
		},
		reset,
	};
}
