import {type DayPoint, meanOf} from './series.ts';

/** Monday first, as in ISO 8601. */
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** The mean of one weekday's known days. */
export type WeekdayMean = {
	readonly weekday: (typeof weekdays)[number];
	readonly mean: number | undefined;
	readonly knownDays: number;
};

/** Mean of a measure by weekday, in UTC. Being a mean, it suits any measure, including active users. */
export function weekdayMeans(points: readonly DayPoint[]): WeekdayMean[] {
	return weekdays.map((weekday, index) => {
		const days = points.filter(({date, value}) => value !== undefined && weekdayOf(date) === index);
		return {weekday, mean: meanOf(days), knownDays: days.length};
	});
}

function weekdayOf(date: string): number {
	return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}
