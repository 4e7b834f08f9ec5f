import type {CallOptions} from '../api/client.ts';
import {NotFoundError} from '../api/errors.ts';

/** How long to wait for the answer, ms: an id can be added while the service is down. */
const patience = 5_000;

/** Whether a call fails because the service doesn't have what it is about. Other failures say nothing. */
export async function isUnknown(call: (options: CallOptions) => Promise<unknown>): Promise<boolean> {
	try {
		await call({signal: AbortSignal.timeout(patience)});
		return false;
	} catch (error) {
		return error instanceof NotFoundError;
	}
}
