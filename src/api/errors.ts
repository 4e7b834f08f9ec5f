/** What an error knows beside its words. `hint` is what to do next, as one sentence. */
export type ErrorDetails = {
	readonly hint: string;
	readonly cause?: unknown;
	/** HTTP status of the answer, where there was one. */
	readonly status?: number;
	/** The service's own id of the request, to be quoted to its support. */
	readonly requestId?: string;
};

/**
 * What every expected failure of a call is: `what` is wrong and `hint` what to do next, one line each; `message` is
 * both. Words of the service are in it, without control characters but otherwise raw: clean them before drawing.
 */
export abstract class ServiceError extends Error {
	abstract override readonly name: string;
	readonly what: string;
	readonly hint: string;
	readonly status: number | undefined;
	readonly requestId: string | undefined;

	constructor(what: string, {hint, cause, status, requestId}: ErrorDetails) {
		super(`${what} ${hint}`, cause === undefined ? undefined : {cause});
		this.what = what;
		this.hint = hint;
		this.status = status;
		this.requestId = requestId;
	}
}

/** A value is outside the contract's limits. Nothing was sent. `field` is its path in the call, such as `repos.2`. */
export class ValidationError extends ServiceError {
	override readonly name = 'ValidationError';
	readonly field: string;

	constructor(field: string, problem: string, facts: {hint?: string; cause?: unknown} = {}) {
		super(`${field} ${problem}.`, {hint: 'Nothing was sent; fix it and try again.', ...facts});
		this.field = field;
	}
}

/** 401: the key is missing, wrong or withdrawn. Every call will fail until it is replaced. */
export class UnauthorizedError extends ServiceError {
	override readonly name = 'UnauthorizedError';
}

/** 402 and 403: this key may not make this call. Other families of calls may still work: roles differ by family. */
export class ForbiddenError extends ServiceError {
	override readonly name = 'ForbiddenError';
}

/** 404 and 410: no such computer or session, or not yet: a new session can take some seconds to be found. */
export class NotFoundError extends ServiceError {
	override readonly name = 'NotFoundError';
}

/** 400, 409, 422 and every other 4xx: the service read the request and said no. */
export class RejectedError extends ServiceError {
	override readonly name = 'RejectedError';
}

/**
 * 429, or 503 with Retry-After: not accepted, to be asked again later. Also thrown without sending anything while
 * an earlier answer's wait is running and doesn't fit into the call's time.
 */
export class RateLimitedError extends ServiceError {
	override readonly name = 'RateLimitedError';
	/** How long to wait from now, ms: what the service asked for, or our own back-off. */
	readonly retryAfter: number;

	constructor(what: string, facts: ErrorDetails & {retryAfter: number}) {
		super(what, facts);
		this.retryAfter = facts.retryAfter;
	}
}

/** 5xx, and 408: the service failed. What it did with the request is not known, unless it answered too early. */
export class ServerError extends ServiceError {
	override readonly name = 'ServerError';
	/** It answered before the request was written to its end: it can't have read it. */
	readonly isEarly: boolean;

	constructor(what: string, facts: ErrorDetails & {isEarly?: boolean}) {
		super(what, facts);
		this.isEarly = facts.isEarly ?? false;
	}
}

/** 3xx: never followed, so that the key goes nowhere else. */
export class RedirectError extends ServiceError {
	override readonly name = 'RedirectError';
}

/** The request surely never reached the service: refused, no such host, TLS, no connection in time, proxy. */
export class UnreachableError extends ServiceError {
	override readonly name = 'UnreachableError';
}

/** The request was written and no readable answer came: a reset, a timeout, or a success without its body. */
export class LostAnswerError extends ServiceError {
	override readonly name = 'LostAnswerError';
}

/** A read was answered with a success that isn't what the contract says. */
export class MalformedError extends ServiceError {
	override readonly name = 'MalformedError';
	/** `too-large`: asking for fewer items may help. */
	readonly reason: 'not-json' | 'shape' | 'too-large' | 'encoding';

	constructor(what: string, facts: ErrorDetails & {reason: MalformedError['reason']}) {
		super(what, facts);
		this.reason = facts.reason;
	}
}

/** The caller's signal ended the call. `isSent`: the request was on the wire by then, so it may have been accepted. */
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
