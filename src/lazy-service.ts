import {isServiceError, UnreachableError} from './api/errors.ts';
import {lazyResource} from './api/lazy-resource.ts';
import type {Service} from './api/service.ts';

/**
 * A service that is connected by its first call: the screen is drawn before the client of the service is loaded. One
 * that can't be connected fails each call as out of reach, in the words of what went wrong: nothing was sent.
 */
export function lazyService(connect: () => Promise<Service>): Service {
	const part = <Name extends Exclude<keyof Service, 'close'>>(name: Name): Service[Name] =>
		lazyResource(async () => (await reach(connect))[name]);
	return {
		computers: part('computers'),
		sessions: part('sessions'),
		messages: part('messages'),
		users: part('users'),
		controls: part('controls'),
		readiness: part('readiness'),
		analytics: part('analytics'),
		// Whoever connected closes.
		close: async () => undefined,
	};
}

/** Connects, or fails as every call would. */
export async function reach(connect: () => Promise<Service>): Promise<Service> {
	try {
		return await connect();
	} catch (error) {
		if (isServiceError(error) || !(error instanceof Error)) throw error;
		throw new UnreachableError(error.message, {hint: 'Nothing was sent.', cause: error});
	}
}
