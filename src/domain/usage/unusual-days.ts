import {addDays} from '../time.ts';
import {median} from './median.ts';
import type {DayPoint} from './series.ts';

/** A day that is far from what such days usually are. */
export type UnusualDay = {
	readonly date: string;
	readonly value: number;
	/** Median of the same weekday in the weeks before. */
	readonly usual: number;
	/** How many usual deviations it is away; less than zero when it is below. */
	readonly score: number;
};

/** Weeks looked back, and how many of them must be known. */
const weeksBack = 8;
const minWeeks = 4;
/** In robust deviations (median absolute deviation, scaled to a normal one): rare by chance. */
const minScore = 3.5;
/** A spread of nothing makes every change infinite: it counts as at least this share of the usual value. */
const minSpread = 0.1;

/**
 * Days that stand out, most unusual first. Each is compared with the same weekday of the weeks before, so that a
 * Sunday is no fall; unknown days are neither unusual nor usual. `points` may reach back before what is shown: only
 * days from `from` on are told. What is counted one by one (`isCount`) scatters by the root of its number even where
 * nothing changes, so that two pull requests after one are nothing.
 */
export function unusualDays(points: readonly DayPoint[], from: string, isCount = false): UnusualDay[] {
	const values = new Map(points.map(({date, value}) => [date, value]));
	const found: UnusualDay[] = [];
	for (const {date, value} of points) {
		if (date < from || value === undefined) continue;
		const past = sameWeekdays(date).flatMap(then => values.get(then) ?? []);
		if (past.length < minWeeks) continue;
		const usual = median(past);
		const spread = 1.4826 * median(past.map(one => Math.abs(one - usual)));
		const scatter = isCount ? Math.sqrt(Math.abs(usual)) : 0;
		const score = (value - usual) / (Math.max(spread, Math.abs(usual) * minSpread, scatter) || 1);
		if (Math.abs(score) >= minScore) found.push({date, value, usual, score});
	}
	return found.sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

/** The same weekday of the weeks before, the last one first. */
export function sameWeekdays(date: string): string[] {
	return Array.from({length: weeksBack}, (_, week) => addDays(date, -7 * (week + 1)));
}
