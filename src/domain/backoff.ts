/** The time before a retry, ms: doubles with each failure in a row, from `first` up to `max`. */
export function doubled(failures: number, {first, max} = {first: 1_000, max: 60_000}): number {
	return Math.min(max, first * 2 ** failures);
}

/** Full jitter: anything from 1 s up to a range that doubles with each failure to 60 s. `chance` is 0 up to 1. */
export function backoff(failures: number, chance: number): number {
	const least = doubled(0);
	return Math.round(least + chance * (doubled(failures) - least));
}
