import type {CallOptions} from '../api/client.ts';
import {AbortError, isServiceError, type ServiceError} from '../api/errors.ts';

/** How long to wait for the answer, ms: an id can be added while the service is down. */
const timeout = 5_000;

/**
 * Reads a computer or session to find out whether the service has it. Returns the error if that fails: `NotFoundError`
 * if there is no such id, `AbortError` if there is no result in time: it doesn't answer, or limits requests.
 */
export async function lookUp(
	call: (options: CallOptions) => Promise<unknown>,
	signal?: AbortSignal,
): Promise<ServiceError | AbortError | undefined> {
	const time = AbortSignal.timeout(timeout);
	try {
		await call({signal: signal ? AbortSignal.any([signal, time]) : time});
		return undefined;
	} catch (error) {
		if (isServiceError(error) || error instanceof AbortError) return error;
		throw error;
	}
}
