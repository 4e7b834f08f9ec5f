import {isServiceError, UnreachableError} from './api/errors.ts';
import type {Service} from './api/service.ts';

/**
 * A service that is connected by its first call: the screen is drawn before the client of the service is loaded. One
 * that can't be connected fails each call as out of reach, in the words of what went wrong: nothing was sent.
 */
export function lazyService(connect: () => Promise<Service>): Service {
	const later =
		<Args extends unknown[], Answer>(call: (service: Service, ...args: Args) => Promise<Answer>) =>
		async (...args: Args): Promise<Answer> =>
			call(await reach(connect), ...args);
	return {
		computers: {
			create: later((service, ...args: Parameters<Service['computers']['create']>) =>
				service.computers.create(...args),
			),
			get: later((service, ...args: Parameters<Service['computers']['get']>) =>
				service.computers.get(...args),
			),
			update: later((service, ...args: Parameters<Service['computers']['update']>) =>
				service.computers.update(...args),
			),
			installDeps: later((service, ...args: Parameters<Service['computers']['installDeps']>) =>
				service.computers.installDeps(...args),
			),
		},
		sessions: {
			create: later((service, ...args: Parameters<Service['sessions']['create']>) =>
				service.sessions.create(...args),
			),
			update: later((service, ...args: Parameters<Service['sessions']['update']>) =>
				service.sessions.update(...args),
			),
		},
		messages: {
			list: later((service, ...args: Parameters<Service['messages']['list']>) =>
				service.messages.list(...args),
			),
			add: later((service, ...args: Parameters<Service['messages']['add']>) => service.messages.add(...args)),
		},
		users: {
			list: later((service, ...args: Parameters<Service['users']['list']>) => service.users.list(...args)),
		},
		controls: {
			history: later((service, ...args: Parameters<Service['controls']['history']>) =>
				service.controls.history(...args),
			),
		},
		readiness: {
			list: later((service, ...args: Parameters<Service['readiness']['list']>) =>
				service.readiness.list(...args),
			),
		},
		analytics: {
			lastDay: later(service => service.analytics.lastDay()),
			tokens: later((service, ...args: Parameters<Service['analytics']['tokens']>) =>
				service.analytics.tokens(...args),
			),
			tools: later((service, ...args: Parameters<Service['analytics']['tools']>) =>
				service.analytics.tools(...args),
			),
			activity: later((service, ...args: Parameters<Service['analytics']['activity']>) =>
				service.analytics.activity(...args),
			),
			productivity: later((service, ...args: Parameters<Service['analytics']['productivity']>) =>
				service.analytics.productivity(...args),
			),
			users: later((service, ...args: Parameters<Service['analytics']['users']>) =>
				service.analytics.users(...args),
			),
		},
		// Whoever connected closes.
		close: async () => undefined,
	};
}

async function reach(connect: () => Promise<Service>): Promise<Service> {
	try {
		return await connect();
	} catch (error) {
		if (isServiceError(error) || !(error instanceof Error)) throw error;
		throw new UnreachableError(error.message, {hint: 'Nothing was sent.', cause: error});
	}
}
