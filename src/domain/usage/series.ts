import {type DayRange, daysIn} from './range.ts';

/** The value of one day. Undefined means unknown, not zero. */
export type DayPoint = {readonly date: string; readonly value: number | undefined};

/** A sum over the known days; `sum` is undefined if there are none. */
export type Total = {readonly sum: number | undefined; readonly known: number; readonly days: number};

/** Returns the value if it is a finite number. */
export function finite(value: number | undefined): number | undefined {
	return value !== undefined && Number.isFinite(value) ? value : undefined;
}

export type DaySeries = ReturnType<typeof createDaySeries>;

/** One value per day, set in any order. Days never set stay unknown; days outside the range are ignored. */
export function createDaySeries(range: DayRange) {
	const values = new Map<string, number>();
	const isInside = (date: string) => date >= range.startDate && date <= range.endDate;
	return {
		set(date: string, value: number | undefined): void {
			const number = finite(value);
			if (number !== undefined && isInside(date)) values.set(date, number);
		},
		/** Adds to a day's value. Adding an unknown value changes nothing. */
		add(date: string, value: number | undefined): void {
			const number = finite(value);
			if (number !== undefined && isInside(date)) values.set(date, (values.get(date) ?? 0) + number);
		},
		points: (): DayPoint[] => daysIn(range).map(date => ({date, value: values.get(date)})),
	};
}

/** One measure of the rows, with a point for every day of the range. */
export function seriesOf<Row extends {readonly date: string}>(
	rows: Iterable<Row>,
	range: DayRange,
	pick: (row: Row) => number | undefined,
): DayPoint[] {
	const series = createDaySeries(range);
	for (const row of rows) series.set(row.date, pick(row));
	return series.points();
}

/** Sums a measure that is additive over days: credits, calls, files. Never use it for active users. */
export function totalOf(points: readonly DayPoint[]): Total {
	const values = points.flatMap(({value}) => (value === undefined ? [] : [value]));
	return {
		sum: values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0),
		known: values.length,
		days: points.length,
	};
}

export function meanOf(points: readonly DayPoint[]): number | undefined {
	const {sum, known: count} = totalOf(points);
	return sum === undefined ? undefined : sum / count;
}

/** The last known day. */
export function latestOf(points: readonly DayPoint[]): {date: string; value: number} | undefined {
	const last = points.findLast(({value}) => value !== undefined);
	return last?.value === undefined ? undefined : {date: last.date, value: last.value};
}

/** Monday first, as in ISO 8601. */
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Mean of a measure by weekday, in UTC. Being a mean, it suits any measure, including active users. */
export function weekdayMeans(points: readonly DayPoint[]) {
	return weekdays.map((weekday, index) => {
		const days = points.filter(({date, value}) => value !== undefined && weekdayOf(date) === index);
		return {weekday, mean: meanOf(days), knownDays: days.length};
	});
}

function weekdayOf(date: string): number {
	return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}
