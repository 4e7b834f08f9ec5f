import {runSliced} from '../../api/run-sliced.ts';
import type {AnalyticsTable, DayRows} from '../../db/analytics.ts';
import type {Clock} from '../../domain/clock.ts';
import {analyticsStart} from '../../domain/limits.ts';
import {thousands} from '../../domain/numbers.ts';
import type {ActivityRow, ProductivityRow, ToolRow} from '../../domain/organization/analytics.ts';
import {addDays} from '../../domain/time.ts';
import {clientsOf, outputOf, toolsOf} from '../../domain/usage/breakdowns.ts';
import {createCredits} from '../../domain/usage/credits.ts';
import {createPeople} from '../../domain/usage/people.ts';
import {type DayRange, dayCount, daysIn, type RangeChoice, rangeBefore} from '../../domain/usage/range.ts';
import {pointsByDay, type UsageRows, unusualByColumn} from '../../state/organization/day-columns.ts';
import type {PeopleData, UsageData, UsagePeriod} from '../../state/organization/organization.ts';
import {peopleColumns, peopleRows} from '../../state/organization/people-columns.ts';
import {ordersOf} from '../../state/rows/column.ts';

/** Days used to compute what is usual: the same weekday of eight weeks (see `sameWeekdays`). */
const defaultDays = 56;

/** Returns the days needed for a range: its own, as many before it, and those that define what is usual. */
export function usageSpan({startDate, endDate}: DayRange): DayRange {
	const back = Math.max(dayCount({startDate, endDate}), defaultDays);
	const from = addDays(startDate, -back);
	return {startDate: from < analyticsStart ? analyticsStart : from, endDate};
}

export type ReportProgress = (text: string) => void;

export type AggregateOptions = {
	/** The range's last day, if it isn't over: it is compared with no other. */
	readonly today?: string | undefined;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	readonly reportProgress: ReportProgress;
};

/** Aggregates the stored days of a range in slices, so that keys aren't delayed. Rejects if it is aborted. */
export function usageOfRange(
	choice: RangeChoice,
	range: DayRange,
	options: AggregateOptions,
): Promise<UsageData> {
	return runSliced(addUsage(choice, range, options), options.clock.now, options);
}

function* addUsage(
	choice: RangeChoice,
	range: DayRange,
	{analytics, reportProgress, today}: AggregateOptions,
): Generator<void, UsageData> {
	const usualRange = usageSpan(range);
	const wholeRange = today === undefined ? range : {...range, endDate: addDays(today, -1)};
	const beforeRange = range.startDate === today ? undefined : rangeBefore(wholeRange);

	/** Reads the rows of all days and returns what `keep` makes of each. */
	function* rowsOf<Family extends keyof DayRows, Kept>(
		family: Family,
		keep: (row: DayRows[Family]) => Kept,
	): Generator<void, Kept[]> {
		const rows: Kept[] = [];
		for (const row of analytics.rows(family, usualRange)) {
			yield;
			rows.push(keep(row));
			yield;
		}
		return rows;
	}

	const credits = {
		now: createCredits(range),
		whole: beforeRange && today !== undefined ? createCredits(wholeRange) : undefined,
		before: beforeRange && createCredits(beforeRange),
	};
	const days = dayCount(usualRange);
	let added = 0;
	const rows: Rows = {
		tokens: yield* rowsOf('tokens', row => {
			credits.now.add(row);
			credits.whole?.add(row);
			credits.before?.add(row);
			const {by_model: _, by_user: __, ...totals} = row;
			reportDays(reportProgress, ++added, days);
			return totals;
		}),
		activity: yield* rowsOf('activity', row => row),
		tools: yield* rowsOf('tools', row => row),
		productivity: yield* rowsOf('productivity', row => row),
	};
	const now = yield* periodOf(range, credits.now, rows);
	const before = beforeRange && credits.before && (yield* periodOf(beforeRange, credits.before, rows));
	const whole = credits.whole && (yield* periodOf(wholeRange, credits.whole, rows));
	const wholeDays = {...usualRange, endDate: wholeRange.endDate};
	const unusual = yield* unusualByColumn(pointsByDay(rows, wholeDays), range.startDate);
	return {
		choice,
		now,
		organizationId: analytics.organization(),
		today,
		whole,
		before,
		unusual,
	};
}

type Rows = {
	readonly tokens: readonly UsageRows['tokens'][];
	readonly activity: readonly ActivityRow[];
	readonly tools: readonly ToolRow[];
	readonly productivity: readonly ProductivityRow[];
};

function* periodOf(
	range: DayRange,
	sums: ReturnType<typeof createCredits>,
	rows: Rows,
): Generator<void, UsagePeriod> {
	yield;
	const credits = sums.done();
	yield;
	const inside = <Row extends {readonly date: string}>(list: readonly Row[]) =>
		list.filter(({date}) => date >= range.startDate && date <= range.endDate);
	const tokens = inside(rows.tokens);
	const activity = inside(rows.activity);
	const tools = inside(rows.tools);
	const productivity = inside(rows.productivity);
	yield;
	return {
		range,
		days: pointsByDay({tokens, activity, productivity, tools}, range),
		credits,
		clients: clientsOf(activity, range),
		output: outputOf(productivity),
		tools: toolsOf(tools),
	};
}

/** Aggregates the people of a range from its stored days, like `usageOfRange`. */
export function peopleOfRange(
	choice: RangeChoice,
	range: DayRange,
	options: AggregateOptions,
): Promise<PeopleData> {
	return runSliced(addPeople(choice, range, options), options.clock.now, options);
}

function* addPeople(
	choice: RangeChoice,
	range: DayRange,
	{analytics, reportProgress, today}: AggregateOptions,
): Generator<void, PeopleData> {
	const builder = createPeople(range);
	const days = new Map(daysIn(range).map((day, index) => [day, index]));
	let day: string | undefined;
	let count = 0;
	for (const row of analytics.users(range)) {
		if (row.date !== day) {
			day = row.date;
			reportDays(reportProgress, days.get(day ?? '') ?? 0, days.size);
		}
		builder.add(row);
		if (++count % 50 === 0) yield;
	}
	const people = builder.done();
	const cut = people.isCut
		? [`first ${thousands(people.people.length)} people shown; the service has more`]
		: [];
	// Computes each sort order now, so that sorting doesn't delay a key.
	for (const order of ordersOf(peopleColumns))
		for (const isReversed of [false, true]) {
			yield;
			peopleRows(people, {order, isReversed, words: ''});
		}
	return {choice, range, today, people, cut};
}

function reportDays(reportProgress: ReportProgress, done: number, days: number): void {
	reportProgress(`adding up: ${done} of ${days} days`);
}
