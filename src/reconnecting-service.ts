import {UnreachableError} from './api/errors.ts';
import {lazyResource} from './api/lazy-resource.ts';
import type {Service} from './api/service.ts';

/**
 * A service whose place another one can take. When it is out of reach, `renew` brings the one that is there now, and
 * the call is made once more: it surely never reached the one that is gone. Calls that fail together renew once.
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
