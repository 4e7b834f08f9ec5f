/** A waiting period: its start and end. Unix ms. */
export type Wait = {readonly since: number; readonly until: number};

/** Clocks are often corrected in small steps, ms: those don't end a wait. */
const clockCorrection = 1_000;

/**
 * Whether a wait is over. If the clock was set back, the remaining time can't be determined, so the wait
 * counts as over; otherwise it could last as long as the clock error.
 */
export function isOver({since, until}: Wait, now: number): boolean {
	return now >= until || now < since - clockCorrection;
}

/** Delay before a retry, ms: doubles with each consecutive failure, from `first` up to `max`. */
export function exponentialDelay(failures: number, {first, max} = {first: 1_000, max: 60_000}): number {
	return Math.min(max, first * 2 ** failures);
}

/**
 * Delay with full jitter, ms: between 1 s and a cap that doubles with each failure up to 60 s. `chance` is in
 * [0, 1).
 */
export function backoff(failures: number, chance: number): number {
	const minDelay = exponentialDelay(0);
	return Math.round(minDelay + chance * (exponentialDelay(failures) - minDelay));
}
