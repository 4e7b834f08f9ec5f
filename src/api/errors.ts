/** Details of an error. `hint` says what to do next, in one sentence. */
export type ErrorDetails = {
	readonly hint: string;
	readonly cause?: unknown;
	readonly status?: number;
	/** The service's request id, to quote to its support. */
	readonly requestId?: string;
};

/**
 * Base class of all expected failures of a call. `what` went wrong and `hint` (what to do next) are one line
 * each; `message` joins them. They may quote the service, without control characters but otherwise raw: clean
 * them before drawing.
 */
export abstract class ServiceError extends Error {
	abstract override readonly name: string;
	readonly what: string;
	readonly hint: string;
	readonly status: number | undefined;
	readonly requestId: string | undefined;

	constructor(what: string, {hint, cause, status, requestId}: ErrorDetails) {
		super(`${what} ${hint}`.trimEnd(), cause === undefined ? undefined : {cause});
		this.what = what;
		this.hint = hint;
		this.status = status;
		this.requestId = requestId;
	}
}

/** A value violates the contract. Nothing was sent. `field` is its path in the call, such as `repos.2`. */
export class ValidationError extends ServiceError {
	override readonly name = 'ValidationError';
	readonly field: string;

	constructor(field: string, problem: string, details: {hint?: string; cause?: unknown} = {}) {
		super(`${field} ${problem}.`, {hint: 'Nothing was sent; fix it and try again.', ...details});
		this.field = field;
	}
}

/** 401: the key is missing, wrong or revoked. Every call fails until it is replaced. */
export class UnauthorizedError extends ServiceError {
	override readonly name = 'UnauthorizedError';
}

/**
 * 402 and 403: the key may not make this call. Other endpoints may still work, since roles differ by endpoint
 * family.
 */
export class ForbiddenError extends ServiceError {
	override readonly name = 'ForbiddenError';
}

/** 404 and 410: no such computer or session, or not yet: a new session may take a few seconds to appear. */
export class NotFoundError extends ServiceError {
	override readonly name = 'NotFoundError';
}

/** 400, 409, 422 and every other 4xx: the service read the request and rejected it. */
export class RejectedError extends ServiceError {
	override readonly name = 'RejectedError';
}

/**
 * 429, or 503 with Retry-After: not accepted; retry later. Also thrown without sending anything if an earlier
 * response's wait is still running and exceeds the call's time.
 */
export class RateLimitedError extends ServiceError {
	override readonly name = 'RateLimitedError';
	/** How long to wait from now, ms: the service's Retry-After, or our own backoff. */
	readonly retryAfter: number;

	constructor(what: string, details: ErrorDetails & {retryAfter: number}) {
		super(what, details);
		this.retryAfter = details.retryAfter;
	}
}

/** 5xx, and 408: the service failed. The request may have been applied. */
export class ServerError extends ServiceError {
	override readonly name = 'ServerError';
}

/** 3xx: never followed, so that the key is never sent elsewhere. */
export class RedirectError extends ServiceError {
	override readonly name = 'RedirectError';
}

/**
 * The request certainly never reached the service: connection refused, unknown host, TLS or proxy failure, or
 * connection timeout.
 */
export class UnreachableError extends ServiceError {
	override readonly name = 'UnreachableError';
}

/**
 * The service can't reach the machine of this computer, so the request went no further. It concerns that computer alone.
 */
export class ComputerUnreachableError extends ServiceError {
	override readonly name = 'ComputerUnreachableError';
}

/** The request was sent but no readable response came: a reset, a timeout, or a success with an unreadable body. */
export class LostResponseError extends ServiceError {
	override readonly name = 'LostResponseError';
}

/** A read succeeded, but its response doesn't match the contract. */
export class MalformedError extends ServiceError {
	override readonly name = 'MalformedError';
	/** `too-large`: asking for fewer items may help. */
	readonly reason: 'not-json' | 'shape' | 'too-large' | 'encoding';

	constructor(what: string, details: ErrorDetails & {reason: MalformedError['reason']}) {
		super(what, details);
		this.reason = details.reason;
	}
}

/**
 * The caller's signal aborted the call. `isSent`: sending had begun, so the request may have been accepted.
 * The cause is the failure after which the call was to be tried again, if there was one.
 */
export class AbortError extends Error {
	override readonly name = 'AbortError';
	readonly isSent: boolean;

	constructor(isSent: boolean, cause?: unknown) {
		super('The request was canceled.', cause === undefined ? undefined : {cause});
		this.isSent = isSent;
	}
}

export function isServiceError(error: unknown): error is ServiceError {
	return error instanceof ServiceError;
}

/**
 * What a failed call means for the change it requested.
 * `not-sent`: certainly never reached the service; safe to retry automatically.
 * `wait`: not accepted; retry after `RateLimitedError.retryAfter`.
 * `held`: not accepted (401, 402, 403, 404), and won't be until something else changes.
 * `refused`: not accepted; the same values would be rejected again.
 * `unknown`: may have been accepted. Never retry a post automatically.
 */
type Outcome = 'not-sent' | 'wait' | 'held' | 'refused' | 'unknown';

/** Anything not known to be harmless is `unknown`, including errors from outside this client. */
export function outcomeOf(error: unknown): Outcome {
	if (error instanceof ComputerUnreachableError || error instanceof UnreachableError) return 'not-sent';
	if (error instanceof AbortError) return error.isSent ? 'unknown' : 'not-sent';
	if (error instanceof RateLimitedError) return 'wait';
	if (
		error instanceof UnauthorizedError ||
		error instanceof ForbiddenError ||
		error instanceof NotFoundError
	) {
		return 'held';
	}
	if (error instanceof RejectedError || error instanceof ValidationError) return 'refused';
	// 307 and 308 mean that nothing was done; other redirects may follow a completed post.
	if (error instanceof RedirectError && (error.status === 307 || error.status === 308)) return 'refused';
	return 'unknown';
}
