/** Quantiles of a stream of numbers. */
export type Quantiles = {
	add(value: number): void;
	/** The quantile at `share` (0 to 1); undefined if there are no numbers. */
	at(share: number): number | undefined;
};

/** Maximum sample size: beyond it, quantiles come from an evenly spaced sample. */
const maxKept = 8192;

/**
 * Keeps every number at first, then every second, fourth and so on, so memory stays constant for millions of
 * numbers.
 */
export function createQuantiles(): Quantiles {
	let kept: number[] = [];
	let sorted: Float64Array | undefined;
	let every = 1;
	let count = 0;
	return {
		add(value) {
			if (count++ % every !== 0) return;
			kept.push(value);
			sorted = undefined;
			if (kept.length < maxKept) return;
			kept = kept.filter((_, index) => index % 2 === 0);
			every *= 2;
		},
		at(share) {
			sorted ??= Float64Array.from(kept).sort();
			return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
		},
	};
}
