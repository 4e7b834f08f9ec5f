import type {AnalyticsFamily, AnalyticsTable} from '../../db/analytics.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {memoryAnalytics} from '../../db/memory-analytics.ts';
import {chosenRange, type DayRange, dayCount, type RangeChoice} from '../../domain/usage/range.ts';
import type {Loaded} from '../../state/organization/organization.ts';
import {problemOf} from '../core/problem.ts';
import {noteOf, refusedDays} from '../core/reading-gaps.ts';
import {type AggregateOptions, peopleOfRange, usageOfRange, usageSpan} from './organization-usage.ts';
import {
	type FamiliesRead,
	type FamilyStep,
	partsOf,
	type ReportProgress,
	readFamilies,
	stepProgress,
} from './read-families.ts';
import {readRange, todayIn} from './read-range.ts';
import {createUsageReader, type UsageReaderParts} from './usage-reader.ts';

type Reading<Data> = (
	choice: RangeChoice,
	signal: AbortSignal,
	reportProgress: ReportProgress,
) => Promise<Loaded<Data> & {readonly data: Data}>;

type StepsOf = (range: DayRange, analytics: AnalyticsTable) => readonly FamilyStep[];

type AddUp<Data extends {readonly cut?: readonly string[]}> = (
	choice: RangeChoice,
	range: DayRange,
	options: AggregateOptions,
) => Promise<Data>;

/** Requesting a day of users takes about this many times as long as aggregating it once stored. */
const requestWeight = 4;

/** Reads the data that is stored by day: the organization's usage, and the activity of its people. */
export function createUsageReadings({service, clock, ...parts}: UsageReaderParts) {
	let {analytics} = parts;

	/** If the disk can't be written, uses memory instead, so that there is still something to show. */
	async function withFallback<Answer>(use: (table: AnalyticsTable) => Promise<Answer>): Promise<Answer> {
		try {
			return await use(analytics);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			analytics = memoryAnalytics();
			return use(analytics);
		}
	}

	/** Returns when the data was read and what is missing. If every family failed, that is when it was stored. */
	function stateOf(
		{gaps, failure}: FamiliesRead,
		table: AnalyticsTable,
		steps: readonly FamilyStep[],
		notes: readonly string[],
	): Omit<Loaded<unknown>, 'data'> {
		const now = clock.now();
		if (!failure) return {readAt: now, ...noteOf(gaps, notes)};
		const {what, ...problem} = problemOf(failure.error, now);
		if (!failure.isAll) {
			const names = failure.families.join(', ');
			return {
				readAt: now,
				isPart: true,
				problem: {what: `${names}: ${what}`, ...problem},
				...noteOf(gaps, notes),
			};
		}
		const times = steps.flatMap(({family, range, isAuxiliary}) =>
			isAuxiliary ? [] : [table.readAt(family, range)],
		);
		const readAt = times.every(at => at !== undefined) ? Math.min(...times) : undefined;
		return {problem: {what, ...problem}, readAt};
	}

	/** Reads the families of a range, then aggregates its stored days. */
	const reading =
		<Data extends {readonly cut?: readonly string[]}>(stepsOf: StepsOf, addUp: AddUp<Data>): Reading<Data> =>
		(choice, signal, reportProgress) =>
			withFallback(async table => {
				const rangeOf = (lastDay: string) => chosenRange(choice, lastDay);
				const read = async (range: DayRange) => {
					const steps = stepsOf(range, table);
					const reader = createUsageReader({service, analytics: table, clock});
					const families = await readFamilies(reader, table, steps, {signal, reportProgress});
					const hidden = families.failure?.isRefused ? families.failure.families : [];
					const data = await addUp(choice, range, {
						today: await todayIn(service, range),
						analytics: withoutFamilies(table, hidden),
						clock,
						signal,
						reportProgress: stepProgress(reportProgress, partsOf(steps), 1),
					});
					const notes = [...refusedDays(range, await service.analytics.lastDay()), ...(data.cut ?? [])];
					return {data, ...stateOf(families, table, steps, notes)};
				};
				return (await readRange(service, rangeOf, typeof choice === 'object', read)).answer;
			});

	return {
		usage: reading(stepsOfUsage, usageOfRange),
		people: reading(stepsOfPeople, peopleOfRange),
	};
}

/** Returns the table without the families that the key may not see. */
function withoutFamilies(table: AnalyticsTable, families: readonly AnalyticsFamily[]): AnalyticsTable {
	if (families.length === 0) return table;
	return {
		...table,
		rows: (family, range) => (families.includes(family) ? [] : table.rows(family, range)),
		users: range => (families.includes('users') ? [] : table.users(range)),
	};
}

/** Activity comes first: it shows how large the other families' days are. */
const stepsOfUsage: StepsOf = range => {
	const span = usageSpan(range);
	return [
		{family: 'activity', range: span, part: 0.05},
		{family: 'tokens', range: span, part: 0.65},
		{family: 'tools', range: span, part: 0.1},
		{family: 'productivity', range: span, part: 0.1},
	];
};

const stepsOfPeople: StepsOf = (range, table) => {
	const days = dayCount(range);
	const requestCost = (days - table.finalDays('users', range).size) * requestWeight;
	return [
		// Shows how many users to expect.
		{family: 'activity', range, part: 0.01, isAuxiliary: true},
		{family: 'users', range, part: (0.99 * requestCost) / (requestCost + days)},
	];
};
