import type {Total} from './series.ts';

/**
 * Growth of a total's daily mean since the previous period: 0.25 is 25% more. Means of the known days, so that a
 * missing day doesn't look like a drop. Undefined if unknown or if the previous mean is zero.
 */
export function growthOfTotal(now: Total, before: Total): number | undefined {
	return growth(dailyMean(now), dailyMean(before));
}

function dailyMean({sum, known}: Total): number | undefined {
	return sum === undefined || known === 0 ? undefined : sum / known;
}

/** Relative growth from `before` to `now`. */
export function growth(now: number | undefined, before: number | undefined): number | undefined {
	if (now === undefined || before === undefined || before === 0) return undefined;
	return (now - before) / Math.abs(before);
}
