import {addDays} from '../time.ts';
import {type DayRange, daysIn} from './range.ts';

/** The value of one day. Undefined means unknown, not zero. */
export type DayPoint = {readonly date: string; readonly value: number | undefined};

/** A sum over the known days; `sum` is undefined if there are none. */
export type Total = {readonly sum: number | undefined; readonly known: number; readonly days: number};

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

export function latestOf(points: readonly DayPoint[]): {date: string; value: number} | undefined {
	const last = points.findLast(({value}) => value !== undefined);
	return last?.value === undefined ? undefined : {date: last.date, value: last.value};
}

/**
 * Growth of a total's daily mean since the previous period: 0.25 is 25% more. Means of the known days, so that a
 * missing day doesn't look like a drop. Undefined if unknown or if the previous mean is zero.
 */
export function growthOfTotal(now: Total, before: Total): number | undefined {
	return growth(dailyMean(now), dailyMean(before));
}

function dailyMean({sum, known}: Total): number | undefined {
	return sum === undefined || known === 0 ? undefined : sum / known;
}

export function growth(now: number | undefined, before: number | undefined): number | undefined {
	if (now === undefined || before === undefined || before === 0) return undefined;
	return (now - before) / Math.abs(before);
}

/** A ratio over several days, and the number of days it includes. */
type Ratio = {readonly value: number | undefined; readonly days: number};

/** Sum of numerators divided by sum of denominators, over the days on which both are known: never a mean of ratios. */
export function ratioOf(numerators: readonly DayPoint[], denominators: readonly DayPoint[]): Ratio {
	const days = numerators.flatMap(({value}, day) => {
		const denominator = denominators[day]?.value;
		return value === undefined || denominator === undefined ? [] : [{numerator: value, denominator}];
	});
	const sum = days.reduce((all, {denominator}) => all + denominator, 0);
	const value = sum > 0 ? days.reduce((all, {numerator}) => all + numerator, 0) / sum : undefined;
	return {value, days: days.length};
}

/** Mean of daily values by weight. Days without a value or weight are left out. */
export function weightedMean(values: readonly DayPoint[], weights: readonly DayPoint[]): Ratio {
	const weighted = values.map(({date, value}, day): DayPoint => {
		const weight = weights[day]?.value;
		return {date, value: value === undefined || weight === undefined ? undefined : value * weight};
	});
	return ratioOf(weighted, weights);
}

/**
 * One layer of a total by day. `others`: names beyond the largest; `unattributed`: the part not attributed to
 * any name.
 */
type Layer = {
	readonly kind: 'name' | 'others' | 'unattributed';
	/** The name; empty for the other kinds. */
	readonly name: string;
	readonly points: readonly DayPoint[];
};

/**
 * Splits a daily total into layers: the largest `maxNamed` names get their own. On every known day the layers
 * sum to the total. A name missing from a known day had zero; on an unknown day all layers are unknown.
 * `names` is ordered largest first. Empty `others` and `unattributed` layers are left out.
 */
export function layersOf(
	totals: readonly DayPoint[],
	names: ReadonlyMap<string, readonly DayPoint[]>,
	maxNamed: number,
): Layer[] {
	const named = [...names].map(([name, points]) => {
		const values = new Map(points.map(({date, value}) => [date, value]));
		return {name, valueOn: (date: string) => values.get(date) ?? 0};
	});
	const first = named.slice(0, maxNamed);
	const rest = named.slice(maxNamed);
	const sumOf = (list: typeof named, date: string) => list.reduce((sum, {valueOn}) => sum + valueOn(date), 0);
	const pointsOf = (valueOn: (date: string, all: number) => number): DayPoint[] =>
		totals.map(({date, value}) => ({date, value: value === undefined ? undefined : valueOn(date, value)}));
	const layers: Layer[] = [
		...first.map(({name, valueOn}): Layer => ({kind: 'name', name, points: pointsOf(valueOn)})),
		{kind: 'others', name: '', points: pointsOf(date => sumOf(rest, date))},
		{
			kind: 'unattributed',
			name: '',
			points: pointsOf((date, all) => withoutResidue(all - sumOf(named, date), all)),
		},
	];
	return layers.filter(({kind, points}) => kind === 'name' || points.some(({value}) => value));
}

/** Rounds floating-point residue to zero. */
function withoutResidue(rest: number, total: number): number {
	return Math.abs(rest) <= Math.abs(total) * 1e-9 ? 0 : rest;
}

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

/** Median: the mean of the two middle values for an even count, zero for no values. */
function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
	const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
	return (lower + upper) / 2;
}
