import {
	AbortError,
	ForbiddenError,
	NotFoundError,
	UnauthorizedError,
	ValidationError,
} from '../api/errors.ts';
import {ConfigError} from '../config/config-error.ts';
import {InterruptedError} from './interrupted-error.ts';
import {OutcomeUnknownError} from './outcome-unknown-error.ts';
import {UndeliveredMessageError} from './undelivered-message-error.ts';
import {UsageError} from './usage-error.ts';

/** Exit codes of headless commands. */
export const exitCodes = {
	done: 0,
	/** The service refused, a file failed, or what was printed is incomplete. */
	refused: 1,
	/** Wrong usage or a value outside the contract; nothing was sent. */
	usage: 2,
	/** 401 and 403. */
	unauthorized: 3,
	notFound: 4,
	/** A post that may have been accepted. */
	unknown: 5,
	/** The message is saved and will be sent; nothing was refused. */
	queued: 6,
	/** `--timeout` expired; same code as coreutils' `timeout`. */
	timedOut: 124,
	interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof UndeliveredMessageError) {
		const code = exitCodeOf(error.cause);
		return error.state === 'queued' && code === exitCodes.refused ? exitCodes.queued : code;
	}
	if (error instanceof UsageError || error instanceof ValidationError || error instanceof ConfigError) {
		return exitCodes.usage;
	}
	if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return exitCodes.unauthorized;
	if (error instanceof NotFoundError) return exitCodes.notFound;
	if (error instanceof OutcomeUnknownError) return exitCodes.unknown;
	if (error instanceof AbortError || error instanceof InterruptedError) return exitCodes.interrupted;
	return exitCodes.refused;
}
