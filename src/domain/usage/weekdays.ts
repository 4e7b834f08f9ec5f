import {type DayPoint, meanOf} from './series.ts';

/** Monday first, as ISO 8601 counts them. */
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** What one weekday is like: the mean of its known days. */
export type WeekdayMean = {
	readonly weekday: (typeof weekdays)[number];
	readonly mean: number | undefined;
	readonly knownDays: number;
};

/** When people work: a measure by weekday, in UTC. A mean, so that any measure will do, active users too. */
export function weekdayMeans(points: readonly DayPoint[]): WeekdayMean[] {
	return weekdays.map((weekday, index) => {
		const own = points.filter(({date, value}) => value !== undefined && weekdayOf(date) === index);
		return {weekday, mean: meanOf(own), knownDays: own.length};
	});
}

function weekdayOf(date: string): number {
	return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}
