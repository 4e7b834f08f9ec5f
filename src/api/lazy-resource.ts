/**
 * A resource whose functions are got anew for each call: schemas take longer to make than a request, so none are made
 * before they read something. Every function of a resource is asynchronous, and none is called `then`.
 */
export function lazyResource<Resource extends object>(get: () => Promise<Resource>): Resource {
	const later =
		(name: string) =>
		async (...args: readonly unknown[]): Promise<unknown> => {
			const resource = (await get()) as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
			return resource[name]?.(...args);
		};
	return new Proxy({} as Resource, {
		get: (_, name) => (typeof name === 'string' && name !== 'then' ? later(name) : undefined),
	});
}
