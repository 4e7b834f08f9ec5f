import {analyticsStart} from '../limits.ts';
import {addDays, isRealDay, utcDayOf} from '../time.ts';

/** Whole UTC days, both ends included, YYYY-MM-DD. */
export type DayRange = {readonly startDate: string; readonly endDate: string};

/** So many days up to the last one there is, or everything since analytics began. */
export const rangePresets = [7, 14, 28, 90, 'all'] as const;
export type RangePreset = (typeof rangePresets)[number];

/** A range as it is asked for: by a preset, which moves with the last day, or by its two days. */
export type RangeChoice = RangePreset | DayRange;

/** First day with a complete weekly active count, which covers the past 7 days: the history's first week ends here. */
export const wholeWeeklyFrom = addDays(analyticsStart, 6);
/** The same for the past 30 days. */
export const wholeMonthlyFrom = addDays(analyticsStart, 29);

/** The last day there is: yesterday, UTC, by the service's clock (Unix ms). */
export function lastDayAt(serviceNow: number): string {
	return addDays(utcDayOf(serviceNow), -1);
}

/** The days of a choice; those of a preset end at the last day there is. */
export function chosenRange(choice: RangeChoice, lastDay: string): DayRange {
	return typeof choice === 'object' ? choice : presetRange(choice, lastDay);
}

export function isSameChoice(a: RangeChoice, b: RangeChoice): boolean {
	if (typeof a !== 'object' || typeof b !== 'object') return a === b;
	return a.startDate === b.startDate && a.endDate === b.endDate;
}

/** The preset after a choice (before it when `by` is -1), by its number of days; from the last one there is none. */
export function presetBeside(choice: RangeChoice, by: 1 | -1): RangeChoice {
	const days = (one: RangeChoice) =>
		typeof one === 'object' ? dayCount(one) : one === 'all' ? Number.POSITIVE_INFINITY : one;
	const size = days(choice);
	const found =
		by > 0
			? rangePresets.find(preset => days(preset) > size)
			: rangePresets.findLast(preset => days(preset) < size);
	return found ?? (typeof choice === 'object' ? rangePresets[0] : choice);
}

export function presetRange(preset: RangePreset, lastDay: string): DayRange {
	const start = preset === 'all' ? analyticsStart : addDays(lastDay, 1 - preset);
	return {startDate: start < analyticsStart ? analyticsStart : start, endDate: lastDay};
}

/** A range the user typed, or what is wrong with it, in one line. */
export function freeRange(
	startDate: string,
	endDate: string,
	lastDay: string,
): {readonly range: DayRange} | {readonly problem: string} {
	for (const day of [startDate, endDate]) {
		if (!isRealDay(day)) return {problem: `${day} is not a date, YYYY-MM-DD`};
	}
	if (startDate < analyticsStart) {
		return {problem: `${startDate} is before ${analyticsStart}, the first day with analytics`};
	}
	if (endDate > lastDay) {
		return {
			problem: `${endDate} is after ${lastDay}, the last day available: data goes up to yesterday (UTC)`,
		};
	}
	if (startDate > endDate) return {problem: `${startDate} is after ${endDate}`};
	return {range: {startDate, endDate}};
}

export function dayCount({startDate, endDate}: DayRange): number {
	return Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000) + 1;
}

/** Every day of a range, in order. */
export function daysIn(range: DayRange): string[] {
	return Array.from({length: dayCount(range)}, (_, index) => addDays(range.startDate, index));
}

/** As many days just before; absent when the history doesn't reach back that far. */
export function rangeBefore(range: DayRange): DayRange | undefined {
	const startDate = addDays(range.startDate, -dayCount(range));
	return startDate < analyticsStart ? undefined : {startDate, endDate: addDays(range.startDate, -1)};
}
