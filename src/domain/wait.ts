/** A time that something waits for, and when the waiting began. Unix ms. */
export type Wait = {readonly since: number; readonly until: number};

/** Clocks are corrected in small steps all the time, ms: those end no wait. */
const correction = 1_000;

/**
 * A clock that is set back leaves more of a wait than the whole of it was: then nobody knows how much is left, and it
 * counts as over, or it would last for as long as the clock was wrong.
 */
export function isOver({since, until}: Wait, now: number): boolean {
	return now >= until || now < since - correction;
}
