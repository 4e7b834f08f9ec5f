// For arrays that the service's answers make as long as they like: spread into a call, one of some 100,000 items
// throws a RangeError.

export function append<T>(list: T[], items: Iterable<T>): void {
	for (const item of items) list.push(item);
}

/** The lowest of the numbers; `Infinity` if there are none. */
export function lowest(numbers: Iterable<number>): number {
	let result = Number.POSITIVE_INFINITY;
	for (const number of numbers) result = Math.min(result, number);
	return result;
}

/** The highest of the numbers; `-Infinity` if there are none. */
export function highest(numbers: Iterable<number>): number {
	let result = Number.NEGATIVE_INFINITY;
	for (const number of numbers) result = Math.max(result, number);
	return result;
}
