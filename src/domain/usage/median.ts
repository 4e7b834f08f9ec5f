/** The middle of some values: the mean of the two in the middle where there is no single one. Zero of none. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
	const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
	return (lower + upper) / 2;
}
