import {addDays} from '../time.ts';
import {median} from './quantiles.ts';
import type {DayPoint} from './series.ts';

/** Days that deviate strongly from comparable ones, by date. */
export type UnusualDays = ReadonlyMap<string, 'above' | 'below'>;

/** Weeks to look back, and how many of them must be known. */
const weeksBack = 8;
const minWeeks = 4;
/** In robust deviations (scaled median absolute deviation); rarely exceeded by chance. */
const minScore = 3.5;
/** Minimum spread as a fraction of the usual value; a zero spread would make every change infinite. */
const minSpread = 0.1;

/**
 * Finds unusual days. Each is compared with the same weekday of previous weeks, so that a Sunday doesn't look like a
 * drop; unknown days are ignored. `points` may start before `from`, but only days from `from` on are returned. For counts
 * (`isCount`), the spread is at least the square root of the usual value, so that two pull requests instead of one are
 * not unusual.
 */
export function unusualDays(points: readonly DayPoint[], from: string, isCount = false): UnusualDays {
	const values = new Map(points.map(({date, value}) => [date, value]));
	const found = new Map<string, 'above' | 'below'>();
	for (const {date, value} of points) {
		if (date < from || value === undefined) continue;
		const past = sameWeekdays(date).flatMap(earlierDate => values.get(earlierDate) ?? []);
		if (past.length < minWeeks) continue;
		const usual = median(past);
		const spread = 1.4826 * median(past.map(other => Math.abs(other - usual)));
		const scatter = isCount ? Math.sqrt(Math.abs(usual)) : 0;
		const score = (value - usual) / (Math.max(spread, Math.abs(usual) * minSpread, scatter) || 1);
		if (Math.abs(score) >= minScore) found.set(date, score > 0 ? 'above' : 'below');
	}
	return found;
}

/** The same weekday of previous weeks, most recent first. */
function sameWeekdays(date: string): string[] {
	return Array.from({length: weeksBack}, (_, week) => addDays(date, -7 * (week + 1)));
}
