/** Delay before a retry, ms: doubles with each consecutive failure, from `first` up to `max`. */
export function doubled(failures: number, {first, max} = {first: 1_000, max: 60_000}): number {
	return Math.min(max, first * 2 ** failures);
}

/**
 * Delay with full jitter, ms: between 1 s and a cap that doubles with each failure up to 60 s. `chance` is in
 * [0, 1).
 */
export function backoff(failures: number, chance: number): number {
	const least = doubled(0);
	return Math.round(least + chance * (doubled(failures) - least));
}
