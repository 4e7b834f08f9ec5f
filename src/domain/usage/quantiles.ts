/** Median: the mean of the two middle values for an even count, zero for no values. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
	const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
	return (lower + upper) / 2;
}

/** Maximum sample size: beyond it, quantiles come from an evenly spaced sample. */
const maxSample = 8192;

export type Quantiles = ReturnType<typeof createQuantiles>;

/**
 * Computes quantiles of a stream. Keeps every number at first, then every second, fourth and so on, so that memory stays
 * constant for millions of numbers.
 */
export function createQuantiles() {
	let sample: number[] = [];
	let sorted: Float64Array | undefined;
	let step = 1;
	let count = 0;
	return {
		add(value: number): void {
			if (count++ % step !== 0) return;
			sample.push(value);
			sorted = undefined;
			if (sample.length < maxSample) return;
			sample = sample.filter((_, index) => index % 2 === 0);
			step *= 2;
		},
		/** The quantile at `share` (0 to 1); undefined if there are no numbers. */
		at(share: number): number | undefined {
			sorted ??= Float64Array.from(sample).sort();
			return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
		},
	};
}
