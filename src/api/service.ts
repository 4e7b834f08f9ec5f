import type {Client} from './client.ts';
import type {SessionDefaults} from './sessions.ts';

/** All resources, one file each. A resource is loaded by its first call: its schemas take time to build. */
const resources = {
	computers: async () => (await import('./computers.ts')).createComputers,
	sessions: async () => (await import('./sessions.ts')).createSessions,
	messages: async () => (await import('./messages.ts')).createMessages,
	users: async () => (await import('./users.ts')).createUsers,
	controls: async () => (await import('./controls.ts')).createControls,
	readiness: async () => (await import('./readiness.ts')).createReadiness,
	agentRequests: async () => (await import('./agent-requests.ts')).createAgentRequests,
	workFolders: async () => (await import('./work-folders.ts')).createWorkFolders,
	runningService: async () => (await import('./running-service.ts')).createRunningService,
	analytics: async () => (await import('./analytics.ts')).createAnalytics,
};

type Resources = typeof resources;

/**
 * The whole service interface, one function per endpoint. Strict about requests (throws `ValidationError`
 * before sending anything), lenient about responses. Throws the error classes of `errors.ts`.
 */
export type Service = {
	readonly [Name in keyof Resources]: ReturnType<Awaited<ReturnType<Resources[Name]>>>;
} & Pick<Client, 'close'>;

export function createService(client: Client, defaults: SessionDefaults = {}): Service {
	const parts = Object.entries(resources).map(([name, load]) => [name, lazyResource(load, client, defaults)]);
	return {...Object.fromEntries(parts), close: () => client.close()};
}

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** A resource that is loaded by its first call. Its functions are asynchronous, and none is named `then`. */
function lazyResource(
	load: () => Promise<(client: Client, defaults: SessionDefaults) => object>,
	client: Client,
	defaults: SessionDefaults,
): Functions {
	let resource: Functions | undefined;
	const callOf =
		(name: string) =>
		async (...args: readonly unknown[]) => {
			const create = await load();
			resource ??= create(client, defaults) as Functions;
			return resource[name]?.(...args);
		};
	return new Proxy<Functions>(
		{},
		{get: (_, name) => (typeof name === 'string' && name !== 'then' ? callOf(name) : undefined)},
	);
}
