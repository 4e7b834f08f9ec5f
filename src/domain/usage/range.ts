import {analyticsStart} from '../limits.ts';
import {addDays, isRealDay, utcDayOf} from '../time.ts';

/** Usage of today, the day that isn't over. */
export const todayOffer = 'usage-of-today';

/** UTC days, both ends included, YYYY-MM-DD. */
export type DayRange = {readonly startDate: string; readonly endDate: string};

/** Number of days up to the last available one, or everything since analytics began. */
export const rangePresets = [7, 14, 30, 90, 'all'] as const;
export type RangePreset = (typeof rangePresets)[number];

/** A requested range: a preset, which moves with the last day, or fixed start and end days. */
export type RangeChoice = RangePreset | DayRange;

/**
 * First day with a complete weekly active count: the count covers 7 days, and this is the end of the
 * history's first 7.
 */
export const wholeWeeklyFrom = addDays(analyticsStart, 6);
/** First day with a complete monthly active count (30 days). */
export const wholeMonthlyFrom = addDays(analyticsStart, 29);

/** The last available day in UTC by the service's clock (`serviceNow`, Unix ms): yesterday, or today where it is offered. */
export function lastDayAt(serviceNow: number, includesToday = false): string {
	return addDays(utcDayOf(serviceNow), includesToday ? 0 : -1);
}

/** Resolves a choice to a range; presets end at the last available day. */
export function chosenRange(choice: RangeChoice, lastDay: string): DayRange {
	return typeof choice === 'object' ? choice : presetRange(choice, lastDay);
}

export function isSameChoice(a: RangeChoice, b: RangeChoice): boolean {
	if (typeof a !== 'object' || typeof b !== 'object') return a === b;
	return a.startDate === b.startDate && a.endDate === b.endDate;
}

/**
 * The next longer preset (`by` 1) or shorter one (`by` -1). If there is none, a preset stays and a custom
 * range becomes the shortest preset.
 */
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

/** The days of a calendar month, YYYY-MM, that the history has; none after the last day. */
export function monthRange(month: string, lastDay: string): DayRange {
	const first = `${month}-01`;
	const last = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
	return {
		startDate: first < analyticsStart ? analyticsStart : first,
		endDate: last < lastDay ? last : lastDay,
	};
}

/** The month of the last day or, beside a month, the one before it; beside the first one, the last again. */
export function monthBefore(choice: RangeChoice, lastDay: string): DayRange {
	const monthOf = (day: string) => monthRange(day.slice(0, 7), lastDay);
	const {startDate} = chosenRange(choice, lastDay);
	const isMonth = isSameChoice(choice, monthOf(startDate));
	return monthOf(isMonth && startDate > analyticsStart ? addDays(startDate, -1) : lastDay);
}

/** Parses a range entered by the user; returns an error message of one line, and the day it is about, if invalid. */
export function freeRange(
	startDate: string,
	endDate: string,
	lastDay: string,
): {readonly range: DayRange} | {readonly problem: string; readonly field: 'from' | 'to'} {
	for (const [field, day] of [
		['from', startDate],
		['to', endDate],
	] as const) {
		const problem = dayProblem(day, lastDay);
		if (problem !== undefined) return {problem, field};
	}
	if (startDate > endDate) return {problem: `${startDate} is after ${endDate}`, field: 'from'};
	return {range: {startDate, endDate}};
}

function dayProblem(day: string, lastDay: string): string | undefined {
	if (!isRealDay(day)) return `${day} is not a date, YYYY-MM-DD`;
	if (day < analyticsStart) return `${day} is before ${analyticsStart}, the first day with analytics`;
	if (day > lastDay) return `${day} is after ${lastDay}, the last day available (UTC)`;
	return undefined;
}

export function dayCount({startDate, endDate}: DayRange): number {
	return Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000) + 1;
}

export function daysIn(range: DayRange): string[] {
	return Array.from({length: dayCount(range)}, (_, index) => addDays(range.startDate, index));
}

/** The preceding range of the same length; undefined if it starts before the history. */
export function rangeBefore(range: DayRange): DayRange | undefined {
	const startDate = addDays(range.startDate, -dayCount(range));
	return startDate < analyticsStart ? undefined : {startDate, endDate: addDays(range.startDate, -1)};
}
