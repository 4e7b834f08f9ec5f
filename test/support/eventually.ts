import {vi} from 'vitest';

/** The longest anything may take on a busy machine, ms. A bound for failure, not a measure. */
export const patience = 60_000;

/** Calls `look` until it no longer throws and returns its value; throws its last error if that takes too long. */
export function eventually<Value>(look: () => Value | Promise<Value>): Promise<Value> {
	return vi.waitFor(look, {timeout: patience, interval: 20});
}
