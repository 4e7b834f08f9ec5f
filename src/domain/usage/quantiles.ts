/** Quantiles of numbers that come one by one. */
export type Quantiles = {
	add(value: number): void;
	/** What so great a share of the numbers is at most, from 0 to 1; absent when there are none. */
	at(share: number): number | undefined;
};

/** Numbers that are kept at most: the quantiles of more are those of an even selection. */
const maxKept = 8192;

/** Keeps every number while they are few; then every second, fourth, and so on: millions cost as little as thousands. */
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
