/** A waiting period: its start and end. Unix ms. */
export type Wait = {readonly since: number; readonly until: number};

/** Clocks are often corrected in small steps, ms: those don't end a wait. */
const correction = 1_000;

/**
 * Whether a wait is over. If the clock was set back, the remaining time can't be determined, so the wait
 * counts as over; otherwise it could last as long as the clock error.
 */
export function isOver({since, until}: Wait, now: number): boolean {
	return now >= until || now < since - correction;
}
