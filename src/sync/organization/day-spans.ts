import {isEqual} from '../../domain/objects.ts';
import type {Analytics} from '../../domain/organization/analytics.ts';
import {addDays, isRealDay} from '../../domain/time.ts';
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

const spanText = ({startDate, endDate}: DayRange) =>
	startDate === endDate ? startDate : `${startDate} to ${endDate}`;

/** A note if an answer says that it is about other days than those asked for, or those up to the service's last one. */
export function otherRange(range: DayRange, {meta}: Analytics<unknown>, lastDay: string): string[] {
	const asked = {...range, endDate: range.endDate > lastDay ? lastDay : range.endDate};
	const {start_date: start = '', end_date: end = ''} = meta;
	const answered = {
		startDate: isRealDay(start) ? start : asked.startDate,
		endDate: isRealDay(end) ? end : asked.endDate,
	};
	return isEqual(asked, answered)
		? []
		: [`asked for ${spanText(asked)}, the service answered for ${spanText(answered)}`];
}

/** A note on the days of a range that have no row. */
export function missingDays(range: DayRange, days: ReadonlySet<string>): string[] {
	const spans = missingSpans(range, days);
	return spans.length === 0 ? [] : [`no data for ${spans.map(spanText).join(', ')}: unknown, not zero`];
}
