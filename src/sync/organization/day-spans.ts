import {addDays} from '../../domain/time.ts';
import {type DayRange, daysIn} from '../../domain/usage/range.ts';

/** Returns the days of a range that are not in `storedDays`, as ranges. */
export function missingSpans(range: DayRange, storedDays: ReadonlySet<string>): DayRange[] {
	const spans: DayRange[] = [];
	for (const day of daysIn(range)) {
		if (storedDays.has(day)) continue;
		const last = spans.at(-1);
		if (last && addDays(last.endDate, 1) === day) spans[spans.length - 1] = {...last, endDate: day};
		else spans.push({startDate: day, endDate: day});
	}
	return spans;
}

/** Splits a range after the given number of days. */
export function cutAfter({startDate, endDate}: DayRange, days: number): DayRange[] {
	const middle = addDays(startDate, days);
	return [
		{startDate, endDate: addDays(middle, -1)},
		{startDate: middle, endDate},
	];
}

/** Splits ranges into parts that weigh at most `maxWeight` each, unless a part is a single day. */
export function cutByWeight(
	spans: readonly DayRange[],
	weightOf: (day: string) => number,
	maxWeight: number,
): DayRange[] {
	return spans.flatMap(span => {
		const parts: DayRange[] = [];
		let weight = Number.POSITIVE_INFINITY;
		for (const day of daysIn(span)) {
			weight += weightOf(day);
			const last = parts.at(-1);
			if (last && weight <= maxWeight) parts[parts.length - 1] = {...last, endDate: day};
			else {
				parts.push({startDate: day, endDate: day});
				weight = weightOf(day);
			}
		}
		return parts;
	});
}
