import {backoff, isOver, type Wait} from '../domain/backoff.ts';
import type {RateLimitedError} from './errors.ts';
import type {HttpResponse} from './http/http.ts';
import type {Timing} from './http/timing.ts';

// All that follows from a 429, or a 503 with Retry-After. The rest of the program asks here, or waits as long as
// `RateLimitedError.retryAfter` says.

/** Minimum wait, ms: a zero or expired Retry-After would make the client retry without a pause. */
const minWait = 1000;
/** Maximum wait, ms: more than the reset of a daily quota is a mistake, and would hold every message for as long. */
const maxWait = 24 * 60 * 60 * 1000;

/**
 * Parses a Retry-After header, in seconds or as a date, to a wait in ms; undefined if it is missing or
 * invalid. A date is compared with the response's Date header, so that a wrong local clock doesn't shorten
 * the wait.
 */
export function readRetryAfter(header: unknown, now: number, dateHeader: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(maxWait, Math.ceil(Number(value) * 1000));
	// Date.parse alone would accept "5 apples" as a date.
	if (!/^[a-z]{3,9},? /i.test(value)) return undefined;
	const until = Date.parse(value);
	if (!Number.isFinite(until)) return undefined;
	const serverNow = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
	return Math.max(0, Math.min(maxWait, until - (Number.isFinite(serverNow) ? serverNow : now)));
}

/** How long a response asks not to be asked again, ms; undefined if it doesn't. */
export function askedWait(
	{status, headers}: Pick<HttpResponse, 'status' | 'headers'>,
	{now, random = Math.random}: Timing,
): number | undefined {
	const retryAfter = readRetryAfter(headers['retry-after'], now(), headers.date);
	if (retryAfter !== undefined && (status === 429 || status === 503)) return Math.max(minWait, retryAfter);
	return status === 429 ? backoff(2, random()) : undefined;
}

/** Maximum jitter added to the wait the service asks for, ms. */
const spread = 1_000;

/** How long a call waits before it is tried again, ms: not all clients return together. `chance` is in [0, 1). */
export function retryAfterLimit({retryAfter}: RateLimitedError, chance: number): number {
	return retryAfter + Math.round(chance * spread);
}

/** The requests per second of the background after a limit: half as many, but never less than a sixteenth. */
export function slowed(perSecond: number, configured: number): number {
	return Math.max(configured / 16, perSecond / 2);
}

const fullBudget = 10;
const earnedByEachSuccess = 0.2;

/** Until when the base or app address wants no requests, Unix ms. */
export type WaitUntil = {readonly [address in 'base' | 'app']?: number};

/**
 * State shared by all calls to one origin: the wait it asked for, and a retry budget, which keeps a failing
 * service from getting four times the requests of a healthy one.
 */
export class Limiter {
	/** Those of the origin: often both. */
	readonly addresses = new Set<keyof WaitUntil>();
	#wait: Wait | undefined;
	#budget = fullBudget;

	/** How long to send nothing from `now` on, ms; 0 if there is no wait. */
	remainingWait(now: number): number {
		return this.#wait && !isOver(this.#wait, now) ? this.#wait.until - now : 0;
	}

	/** The same for each address, as the time when it ends. */
	waitUntil(now: number): WaitUntil {
		const until = now + this.remainingWait(now);
		return Object.fromEntries([...this.addresses].map(address => [address, until]));
	}

	/** Starts a wait the origin asked for. A longer running wait stays. */
	hold(wait: Wait): void {
		if (!this.#wait || isOver(this.#wait, wait.since) || wait.until > this.#wait.until) this.#wait = wait;
	}

	/** Takes one retry from the budget; false if none is left. */
	takeRetry(): boolean {
		if (this.#budget < 1) return false;
		this.#budget -= 1;
		return true;
	}

	/** Records a success, which restores part of a retry. */
	succeed(): void {
		this.#budget = Math.min(fullBudget, this.#budget + earnedByEachSuccess);
	}
}
