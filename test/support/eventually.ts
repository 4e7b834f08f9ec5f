import {vi} from 'vitest';

/** The longest anything may take on a busy machine, ms. A bound for failure, not a measure. */
export const patience = 30_000;

/** What a look gives as soon as it throws no more; its last error when that takes too long. */
export function eventually<Value>(look: () => Value | Promise<Value>): Promise<Value> {
	return vi.waitFor(look, {timeout: patience, interval: 20});
}
