import type {AnalyticsTable, DayRows} from '../../db/analytics.ts';
import type {Part} from '../../domain/usage/attribution.ts';
import {dayNames} from '../../domain/usage/day-names.ts';
import {type DayValues, dayValues, driversOf} from '../../domain/usage/drivers.ts';
import {
	type DriverOf,
	moversOf,
	type NameKind,
	type Unusual,
	type UnusualDayOf,
	type UnusualTopic,
	unusualDaysOf,
	unusualTopics,
	type WatchedFigures,
} from '../../domain/usage/unusual.ts';
import {sameWeekdays} from '../../domain/usage/unusual-days.ts';

/** Figures to examine: of the range (`now`), of the period before, and of all days that define what is usual. */
type UnusualUsageOptions = {
	readonly from: string;
	readonly usual: WatchedFigures;
	readonly now: WatchedFigures;
	readonly before: WatchedFigures | undefined;
	readonly analytics: AnalyticsTable;
};

/**
 * Finds unusual changes by topic. Only days that stand out are read again, to see who caused them. Yields
 * before and after the work on a row, which can be long.
 */
export function* unusualOf(
	watching: UnusualUsageOptions,
): Generator<void, Readonly<Record<UnusualTopic, Unusual>>> {
	const {from, usual, now, before} = watching;
	const found = {} as Record<UnusualTopic, Unusual>;
	for (const topic of unusualTopics) {
		const days: UnusualDayOf[] = [];
		for (const day of unusualDaysOf(topic, usual, from))
			days.push({...day, drivers: yield* driversFor(day, watching)});
		yield;
		found[topic] = {days, movers: before ? moversOf(topic, now, before) : []};
		yield;
	}
	return found;
}

type Day = Omit<UnusualDayOf, 'drivers'>;
type Names = readonly (readonly [NameKind, readonly Part[] | undefined])[];

function* driversFor(day: Day, {analytics}: UnusualUsageOptions): Generator<void, DriverOf[]> {
	const {measure, date, value, usual} = day;
	const names = dayNames[measure];
	if (!names) return [];
	const {family} = names;
	const namesOf = names.namesOf as (row: DayRows[typeof family]) => Names;
	const byKind = new Map<NameKind, {day?: DayValues; readonly past: DayValues[]}>();
	for (const one of [date, ...sameWeekdays(date)]) {
		const [row] = analytics.rows(family, {startDate: one, endDate: one});
		yield;
		for (const [kind, parts] of row ? namesOf(row) : []) {
			const known = byKind.get(kind) ?? {past: []};
			byKind.set(kind, known);
			if (!parts) continue;
			if (one === date) known.day = dayValues(parts);
			else known.past.push(dayValues(parts));
		}
		yield;
	}
	return [...byKind].flatMap(([of, {day: now, past}]) =>
		driversOf(now, past, value - usual).map(driver => ({...driver, of})),
	);
}
