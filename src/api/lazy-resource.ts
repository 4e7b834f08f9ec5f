type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/**
 * A proxy that gets the resource on each call, because building its schemas takes longer than a request. All
 * functions of a resource must be asynchronous, and none may be named `then`. If a call fails, it is retried
 * once on the resource that `again` returns; `again` rethrows the error to let it stand.
 */
export function lazyResource<Resource extends object>(
	get: () => Promise<Resource>,
	again?: (error: unknown, failed: Resource) => Promise<Resource>,
): Resource {
	const run = (resource: Resource, name: string, args: readonly unknown[]) =>
		(resource as Functions)[name]?.(...args);
	const later =
		(name: string) =>
		async (...args: readonly unknown[]): Promise<unknown> => {
			const resource = await get();
			if (!again) return run(resource, name, args);
			try {
				return await run(resource, name, args);
			} catch (error) {
				return run(await again(error, resource), name, args);
			}
		};
	return new Proxy({} as Resource, {
		get: (_, name) => (typeof name === 'string' && name !== 'then' ? later(name) : undefined),
	});
}
