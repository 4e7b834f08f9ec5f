import type {KnownComputer, KnownSession} from './known.ts';

/** How long a newly created resource may return 404, ms. */
const startingFor = 120_000;

export const startingRetryDelay = 2_000;

/**
 * Whether a 404 may mean "not yet". A service can take a while to find an object that it has just created, or
 * sessions that started automatically during a computer's provisioning.
 */
export function isStarting(known: KnownComputer | KnownSession | undefined, now: number): boolean {
	if (known?.origin !== 'created' && known?.origin !== 'install-step') return false;
	// If the clock was set back, a signed difference would count the resource as new until it catches up.
	return Math.abs(now - known.addedAt) < startingFor;
}
