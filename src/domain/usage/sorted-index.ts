export type Direction = 'ascending' | 'descending';

/**
 * Indexes of so many things in the order of their keys; unknown keys come last in either direction. Equals keep their
 * order. `keyOf` is asked once for each, and words are compared once: keys are numbers when they are sorted, so that
 * twenty thousand of them are in order within a frame.
 */
export function sortedIndex(
	count: number,
	keyOf: (index: number) => number | string | undefined,
	direction: Direction,
): Uint32Array {
	const unknownKey = direction === 'ascending' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	const numbers = new Float64Array(count).fill(unknownKey);
	const order = new Uint32Array(count);
	const words: string[] = [];
	const worded: number[] = [];
	for (let index = 0; index < count; index++) {
		order[index] = index;
		const key = keyOf(index);
		if (typeof key === 'number') {
			if (!Number.isNaN(key)) numbers[index] = key;
		} else if (key !== undefined) {
			words.push(key);
			worded.push(index);
		}
	}
	if (words.length > 0) {
		const ranks = new Map([...new Set(words)].sort().map((word, rank) => [word, rank]));
		for (const [place, index] of worded.entries()) numbers[index] = ranks.get(words[place] as string) ?? 0;
	}
	const at = (index: number) => numbers[index] as number;
	// Two unknown keys are infinite both: their difference is no number, and they are equals.
	return order.sort(direction === 'ascending' ? (a, b) => at(a) - at(b) || 0 : (a, b) => at(b) - at(a) || 0);
}
