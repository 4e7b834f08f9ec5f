import type {Total} from './series.ts';

/**
 * A total against the period before. Both are compared by their known days' means, so that a missing day is no fall;
 * `isExact` says that the totals themselves can be compared, since both have every day.
 */
export type Comparison = {
	readonly now: number | undefined;
	readonly before: number | undefined;
	/** Growth of the mean of a known day: 0.25 is a quarter more. Absent when nothing can be said, or from zero. */
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

/** How much more one value is than another, as a share of the other. */
export function growth(now: number | undefined, before: number | undefined): number | undefined {
	if (now === undefined || before === undefined || before === 0) return undefined;
	return (now - before) / Math.abs(before);
}
