import {ordinalsOf, radixOrder} from './radix-order.ts';

export type Direction = 'ascending' | 'descending';

/**
 * Indexes of so many things in the order of their keys; unknown keys come last in either direction. Equals keep their
 * order. `keyOf` is asked once for each, and words are compared once: whatever the keys are, they are put in order as
 * numbers, twenty thousand of them in a fraction of a frame.
 */
export function sortedIndex(
	count: number,
	keyOf: (index: number) => number | string | undefined,
	direction: Direction,
): Uint32Array {
	const keys = new Float64Array(count).fill(Number.NaN);
	const words: string[] = [];
	const worded: number[] = [];
	for (let index = 0; index < count; index++) {
		const key = keyOf(index);
		if (typeof key === 'number') keys[index] = key;
		else if (key !== undefined) {
			words.push(key);
			worded.push(index);
		}
	}
	if (words.length > 0) {
		const ranks = new Map([...new Set(words)].sort().map((word, rank) => [word, rank]));
		for (const [place, index] of worded.entries()) keys[index] = ranks.get(words[place] as string) ?? 0;
	}
	return radixOrder(ordinalsOf(keys, direction === 'descending'));
}
