import {isServiceError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';

/** A post left this machine and its answer didn't come back: it may have been accepted. */
export class OutcomeUnknownError extends Error {
	override readonly name = 'OutcomeUnknownError';
}

/**
 * Makes a post that can't be repeated safely. A failure that leaves its outcome open becomes `OutcomeUnknownError`
 * with `advice`, what to look at before doing it again; every other failure passes through.
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
