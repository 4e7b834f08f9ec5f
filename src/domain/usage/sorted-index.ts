export type Direction = 'ascending' | 'descending';

/**
 * Indexes of so many things in the order of their keys; unknown keys come last in either direction. Equals keep their
 * order. `keyOf` is asked once for each: twenty thousand numbers are in order within a frame.
 */
export function sortedIndex(
	count: number,
	keyOf: (index: number) => number | string | undefined,
	direction: Direction,
): Uint32Array {
	const keys = Array.from({length: count}, (_, index) => keyOf(index));
	const numbers = keys.some(key => typeof key === 'string')
		? ranksOf(keys)
		: Float64Array.from(keys, numberOf);
	const unknownKey = direction === 'ascending' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	for (const [index, number] of numbers.entries()) if (Number.isNaN(number)) numbers[index] = unknownKey;
	const order = Uint32Array.from({length: count}, (_, index) => index);
	const at = (index: number) => numbers[index] as number;
	// Two unknown keys are infinite both: their difference is no number, and they are equals.
	return order.sort(direction === 'ascending' ? (a, b) => at(a) - at(b) || 0 : (a, b) => at(b) - at(a) || 0);
}

function numberOf(key: number | string | undefined): number {
	return typeof key === 'number' ? key : Number.NaN;
}

/** Words by their place among all of them: they are compared once. */
function ranksOf(keys: readonly (number | string | undefined)[]): Float64Array {
	const words = [...new Set(keys)].filter(key => key !== undefined).sort();
	const ranks = new Map(words.map((word, rank) => [word, rank]));
	return Float64Array.from(keys, key => ranks.get(key as string) ?? Number.NaN);
}
