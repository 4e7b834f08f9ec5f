import {isServiceError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';

/** A post was sent but no response came back: the service may have accepted it. */
export class OutcomeUnknownError extends Error {
	override readonly name = 'OutcomeUnknownError';
}

/**
 * Makes a post that can't be repeated safely. A failure that leaves the outcome open throws
 * `OutcomeUnknownError` with `advice` on what to check before retrying; other failures are rethrown.
 */
export async function post<T>(advice: string, call: () => Promise<T>): Promise<T> {
	try {
		return await call();
	} catch (cause) {
		if (outcomeOf(cause) !== 'unknown') throw cause;
		const what = isServiceError(cause) ? cause.what : (cause as Error).message;
		throw new OutcomeUnknownError(`${what} ${advice}`, {cause});
	}
}
