/** One day's contribution to a ratio. */
export type RatioDay = {
	readonly numerator: number | undefined;
	readonly denominator: number | undefined;
};

/** A ratio over several days, and the number of days it includes. */
export type Ratio = {readonly value: number | undefined; readonly days: number};

/**
 * Sum of numerators divided by sum of denominators, over days on which both are known: never a mean of
 * ratios.
 */
export function ratioOf(days: Iterable<RatioDay>): Ratio {
	let numerators = 0;
	let denominators = 0;
	let count = 0;
	for (const {numerator, denominator} of days) {
		if (numerator === undefined || denominator === undefined) continue;
		numerators += numerator;
		denominators += denominator;
		count++;
	}
	return {value: denominators > 0 ? numerators / denominators : undefined, days: count};
}

/** Mean of daily values by weight. Days without a value or weight are left out. */
export function weightedMean(
	days: Iterable<{readonly value: number | undefined; readonly weight: number | undefined}>,
): Ratio {
	return ratioOf(
		[...days].map(({value, weight}) => ({
			numerator: value === undefined || weight === undefined ? undefined : value * weight,
			denominator: value === undefined ? undefined : weight,
		})),
	);
}
