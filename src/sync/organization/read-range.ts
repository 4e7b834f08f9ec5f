import type {Service} from '../../api/service.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import {refusedDays} from '../core/reading-gaps.ts';

/**
 * Reads the range that `rangeOf` gives for the last day with data. That day follows the service's clock, which the first
 * answer reveals, so the range may be read twice; one that `isFixed` is read as it is, and `refused` says if the service
 * has no data yet for its end.
 */
export async function readRange<Answer>(
	{analytics}: Service,
	rangeOf: (lastDay: string) => DayRange,
	isFixed: boolean,
	read: (range: DayRange) => Promise<Answer>,
): Promise<{readonly range: DayRange; readonly answer: Answer; readonly refused: readonly string[]}> {
	const firstDay = await analytics.lastDay();
	const range = rangeOf(firstDay);
	const answer = await read(range);
	const lastDay = await analytics.lastDay();
	if (!isFixed && lastDay !== firstDay) {
		const newRange = rangeOf(lastDay);
		return {range: newRange, answer: await read(newRange), refused: []};
	}
	const endDate = lastDay < range.endDate ? lastDay : range.endDate;
	return {range: {...range, endDate}, answer, refused: refusedDays(range, lastDay)};
}

/** The last day of a range, if it is today: then its data isn't complete. */
export async function todayIn({analytics}: Service, {endDate}: DayRange): Promise<string | undefined> {
	const isToday = endDate > (await analytics.lastDay(false)) && endDate <= (await analytics.lastDay());
	return isToday ? endDate : undefined;
}
