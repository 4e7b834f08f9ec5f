import {isServiceError, UnreachableError} from './api/errors.ts';
import {lazyResource} from './api/lazy-resource.ts';
import type {Service} from './api/service.ts';

/**
 * A service that connects on its first call, so that the screen is drawn before the client is loaded. When
 * connecting fails, every call fails with an `UnreachableError` that has the cause's message: nothing was
 * sent.
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

/** Connects. Throws a `ServiceError`, as every call would. */
export async function reach(connect: () => Promise<Service>): Promise<Service> {
	try {
		return await connect();
	} catch (error) {
		if (isServiceError(error) || !(error instanceof Error)) throw error;
		throw new UnreachableError(error.message, {hint: 'Nothing was sent.', cause: error});
	}
}
