/** A result older than this is refreshed on next use, ms. */
const freshFor = 5_000;

/**
 * Reads `key`: returns the cached result, if any, and calls `arrived` when a newer one is loaded, unless it was read
 * again meanwhile: then only the later `arrived` is called.
 */
export type CachedRead<Value> = (
	key: string,
	read: () => Promise<Value>,
	arrived: () => void,
) => Value | undefined;

/** Caches reads while the user types. `now` in ms. */
export function createCachedReads<Value>(now: () => number): CachedRead<Value> {
	const results = new Map<string, {value?: Value; at: number; isBusy: boolean; arrived: () => void}>();
	return (key, read, arrived) => {
		const result = results.get(key) ?? {at: Number.NEGATIVE_INFINITY, isBusy: false, arrived};
		result.arrived = arrived;
		results.set(key, result);
		if (!result.isBusy && now() - result.at > freshFor) {
			result.isBusy = true;
			read().then(value => {
				result.isBusy = false;
				result.at = now();
				result.value = value;
				result.arrived();
			});
		}
		return result.value;
	};
}
