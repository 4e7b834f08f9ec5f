import type {DayPoint} from './series.ts';

/** A ratio over several days, and the number of days it includes. */
type Ratio = {readonly value: number | undefined; readonly days: number};

/** Sum of numerators divided by sum of denominators, over the days on which both are known: never a mean of ratios. */
export function ratioOf(numerators: readonly DayPoint[], denominators: readonly DayPoint[]): Ratio {
	const days = numerators.flatMap(({value}, day) => {
		const denominator = denominators[day]?.value;
		return value === undefined || denominator === undefined ? [] : [{numerator: value, denominator}];
	});
	const sum = days.reduce((all, {denominator}) => all + denominator, 0);
	const value = sum > 0 ? days.reduce((all, {numerator}) => all + numerator, 0) / sum : undefined;
	return {value, days: days.length};
}

/** Mean of daily values by weight. Days without a value or weight are left out. */
export function weightedMean(values: readonly DayPoint[], weights: readonly DayPoint[]): Ratio {
	const weighted = values.map(({date, value}, day): DayPoint => {
		const weight = weights[day]?.value;
		return {date, value: value === undefined || weight === undefined ? undefined : value * weight};
	});
	return ratioOf(weighted, weights);
}
