import {UnreachableError} from './api/errors.ts';
import {lazyResource} from './api/lazy-resource.ts';
import type {Service} from './api/service.ts';

/**
 * A service that can be replaced by another one. When a call finds it unreachable, `renew` returns the
 * current one and the call is retried once, which is safe: the request certainly never arrived. Calls that
 * fail together renew once.
 */
export function reconnectingService(first: Service, renew: () => Promise<Service>): Service {
	let latest = first;
	let renewing: Promise<void> | undefined;

	function part<Name extends Exclude<keyof Service, 'close'>>(name: Name): Service[Name] {
		return lazyResource(
			async () => latest[name],
			async (error, failed) => {
				if (!(error instanceof UnreachableError)) throw error;
				if (latest[name] === failed) await renewed();
				return latest[name];
			},
		);
	}

	function renewed(): Promise<void> {
		renewing ??= renew()
			.then(service => {
				latest = service;
			})
			.finally(() => {
				renewing = undefined;
			});
		return renewing;
	}

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
