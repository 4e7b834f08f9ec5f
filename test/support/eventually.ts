import {vi} from 'vitest';

/** The longest anything may take on a busy machine, ms. A bound for failure, not a measure. */
export const patience = 30_000;

/** What a look gives as soon as it throws no more; its last error when that takes too long. */
export function eventually<BoundedTextSet>(
	look: () => BoundedTextSet | Promise<BoundedTextSet>,
): Promise<BoundedTextSet> {
	return vi.waitFor(look, {timeout: patience, interval: 20});
}
