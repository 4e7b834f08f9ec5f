type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/**
 * A resource whose functions are got anew for each call: schemas take longer to make than a request, so none are made
 * before they read something. Every function of a resource is asynchronous, and none is called `then`. A call that
 * `failed` is made once more with what `again` brings; it throws the error when that is to stay.
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
