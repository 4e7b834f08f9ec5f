import {ForbiddenError, MalformedError, NotFoundError, RejectedError, ServerError} from './errors.ts';
import type {Service} from './service.ts';

/** Failures that may be of one endpoint only. */
const ofOneEndpoint = [NotFoundError, RejectedError, ServerError, MalformedError];

/**
 * Asks whether a service is at the address and accepts the key. Any answer in its shape says so, from the first endpoint
 * that has one, and so does a 402 or 403 (`forbidden`). Throws the first error if there is none.
 */
export async function askForService(
	{users, controls, analytics}: Service,
	signal: AbortSignal,
): Promise<'answered' | 'forbidden'> {
	const asks = [
		() => users.list({limit: 1}, {signal, isAddressCheck: true}),
		() => controls.history({limit: 1}, {signal}),
		async () => {
			const day = await analytics.lastDay();
			return analytics.activity({startDate: day, endDate: day}, {signal});
		},
	];
	let first: unknown;
	for (const ask of asks) {
		try {
			await ask();
			return 'answered';
		} catch (error) {
			if (error instanceof ForbiddenError) return 'forbidden';
			if (!ofOneEndpoint.some(kind => error instanceof kind)) throw error;
			first ??= error;
		}
	}
	throw first;
}
