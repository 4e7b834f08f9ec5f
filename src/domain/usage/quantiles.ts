/** Quantiles of a stream of numbers. */
export type Quantiles = {
	add(value: number): void;
	/** The quantile at `share` (0 to 1); undefined if there are no numbers. */
	at(share: number): number | undefined;
};

/** Maximum sample size: beyond it, quantiles come from an evenly spaced sample. */
const maxSample = 8192;

/**
 * Keeps every number at first, then every second, fourth and so on, so memory stays constant for millions of
 * numbers.
 */
export function createQuantiles(): Quantiles {
	let sample: number[] = [];
	let sorted: Float64Array | undefined;
	let step = 1;
	let count = 0;
	return {
		add(value) {
			if (count++ % step !== 0) return;
			sample.push(value);
			sorted = undefined;
			if (sample.length < maxSample) return;
			sample = sample.filter((_, index) => index % 2 === 0);
			step *= 2;
		},
		at(share) {
			sorted ??= Float64Array.from(sample).sort();
			return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
		},
	};
}
