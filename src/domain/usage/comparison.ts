import type {Total} from './series.ts';

/**
 * A total compared with the previous period. Both use the mean of their known days, so that a missing day
 * doesn't look like a drop; `isExact` says both periods are complete, so the totals themselves can be
 * compared.
 */
export type Comparison = {
	readonly now: number | undefined;
	readonly before: number | undefined;
	/** Growth of the daily mean: 0.25 is 25% more. Absent if unknown or if the previous mean is zero. */
	readonly change: number | undefined;
	readonly isExact: boolean;
};

export function compareTotals(now: Total, before: Total | undefined): Comparison {
	const mean = (total: Total | undefined) =>
		total?.sum === undefined || total.known === 0 ? undefined : total.sum / total.known;
	return {
		now: now.sum,
		before: before?.sum,
		change: growth(mean(now), mean(before)),
		isExact: before !== undefined && now.known === now.days && before.known === before.days,
	};
}

/** Relative growth from `before` to `now`. */
export function growth(now: number | undefined, before: number | undefined): number | undefined {
	if (now === undefined || before === undefined || before === 0) return undefined;
	return (now - before) / Math.abs(before);
}
