import type {KnownComputer, KnownSession} from './known.ts';

/** How long something just created may still answer 404, in ms. */
const startingFor = 120_000;

/** Until the next try of what is starting, ms. */
export const startingTry = 2_000;

/**
 * May a 404 mean "not yet"? A service can take a while to find what it was asked to create, and what began by itself
 * while a computer was provisioned.
 */
export function isStarting(known: KnownComputer | KnownSession | undefined, now: number): boolean {
	if (known?.origin !== 'created' && known?.origin !== 'install-step') return false;
	// A clock that was set back would make it young for as long as it was wrong.
	return Math.abs(now - known.addedAt) < startingFor;
}
