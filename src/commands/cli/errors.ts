import {
	AbortError,
	ForbiddenError,
	isServiceError,
	NotFoundError,
	outcomeOf,
	type ServiceError,
	UnauthorizedError,
	ValidationError,
} from '../../api/errors.ts';
import {delay} from '../../api/http/timing.ts';
import {ConfigError, UnknownProfileError} from '../../config/config.ts';
import type {Clock} from '../../domain/clock.ts';
import {isStarting, type KnownComputer, type KnownSession, startingRetryDelay} from '../../domain/known.ts';
import {cliStrings} from './strings.ts';

/** The user or the system ended the command before it was done. */
export class InterruptedError extends Error {
	override readonly name = 'InterruptedError';

	constructor() {
		super(cliStrings.run.interrupted);
	}
}

/** A change was sent but no response came back: the service may have made it. */
export class OutcomeUnknownError extends Error {
	override readonly name = 'OutcomeUnknownError';
}

/**
 * A message was definitely not accepted; its text is in the outbox. The cause gives the reason and determines
 * the exit code.
 */
export class UndeliveredMessageError extends Error {
	override readonly name = 'UndeliveredMessageError';
	/** Its outbox state: waiting for its turn, or for the user's decision. */
	readonly state: 'queued' | 'failed';

	constructor(state: 'queued' | 'failed', cause: Error) {
		const outlook = state === 'queued' && cause instanceof UnauthorizedError ? 'refusedKey' : state;
		super(`${cause.message} ${cliStrings.undelivered[outlook]}`, {cause});
		this.state = state;
	}
}

/** A message was definitely not accepted and isn't saved either. The cause, if there is one, determines the exit code. */
export class MessageLostError extends Error {
	override readonly name = 'MessageLostError';
}

/**
 * Makes a call that changes something. A failure that leaves the outcome open throws `OutcomeUnknownError` with
 * `advice` on what to check before retrying; other failures are rethrown.
 */
export async function changing<T>(advice: string, call: () => Promise<T>): Promise<T> {
	try {
		return await call();
	} catch (cause) {
		if (cause instanceof UsageError || outcomeOf(cause) !== 'unknown') throw cause;
		const what = isServiceError(cause) ? cause.what : (cause as Error).message;
		throw new OutcomeUnknownError(`${what} ${advice}`, {cause});
	}
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

/** The command line is invalid; nothing was sent. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** There is no such id, or nothing matches. */
export class NothingFoundError extends Error {
	override readonly name = 'NothingFoundError';
}

export const exitCodes = {
	done: 0,
	/** The service refused, a file failed, or the output is incomplete. */
	refused: 1,
	/** Wrong usage or a value outside the contract; nothing was sent. */
	usage: 2,
	/** 401 and 403. */
	unauthorized: 3,
	notFound: 4,
	/** A change that may have been made. */
	unknown: 5,
	/** The message is saved and will be sent; nothing was refused. */
	queued: 6,
	/** The agent is probably done: it is silent, and the service can't be asked. */
	assumed: 7,
	/** `--timeout` expired; same code as coreutils' `timeout`. */
	timedOut: 124,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof UndeliveredMessageError) {
		const code = exitCodeOf(error.cause);
		return error.state === 'queued' && code === exitCodes.refused ? exitCodes.queued : code;
	}
	if (error instanceof MessageLostError) return exitCodeOf(error.cause);
	if (error instanceof UnknownProfileError) return exitCodes.notFound;
	if (error instanceof UsageError || error instanceof ValidationError || error instanceof ConfigError) {
		return exitCodes.usage;
	}
	if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return exitCodes.unauthorized;
	if (error instanceof NotFoundError || error instanceof NothingFoundError) return exitCodes.notFound;
	if (error instanceof OutcomeUnknownError) return exitCodes.unknown;
	if (error instanceof AbortError || error instanceof InterruptedError) return exitCodes.interrupted;
	return exitCodes.refused;
}
