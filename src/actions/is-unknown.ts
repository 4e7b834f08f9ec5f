import type {CallOptions} from '../api/client.ts';
import {NotFoundError} from '../api/errors.ts';

/** How long to wait for the answer, ms: an id can be added while the service is down. */
const timeout = 5_000;

/** Whether a call fails with 404, as there is no such computer or session. False after any other failure. */
export async function isUnknown(call: (options: CallOptions) => Promise<unknown>): Promise<boolean> {
	try {
		await call({signal: AbortSignal.timeout(timeout)});
		return false;
	} catch (error) {
		return error instanceof NotFoundError;
	}
}
