import type {AnalyticsFamily, AnalyticsTable} from '../../db/analytics.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {memoryAnalytics} from '../../db/memory-analytics.ts';
import {chosenRange, type DayRange, dayCount, type RangeChoice} from '../../domain/usage/range.ts';
import type {Loaded, ReadingProgress} from '../../state/organization/organization.ts';
import {problemOf} from '../core/problem.ts';
import {noteOf, refusedDays} from '../core/reading-gaps.ts';
import {type AggregateOptions, peopleOfRange, usageOfRange, usageSpan} from './organization-usage.ts';
import {type FamiliesRead, type FamilyStep, readFamilies} from './read-families.ts';
import {createStepProgress} from './step-progress.ts';
import {createUsageReader, type UsageReaderParts} from './usage-reader.ts';

type Reading<Data> = (
	choice: RangeChoice,
	signal: AbortSignal,
	reportProgress: (progress: ReadingProgress) => void,
) => Promise<Loaded<Data> & {readonly data: Data}>;

/** Returns the families to read for a range, each with its part of the progress bar. */
type StepsOf = (
	range: DayRange,
	analytics: AnalyticsTable,
	step: ReturnType<typeof createStepProgress>,
) => readonly FamilyStep[];

type AddUp<Data extends {readonly cut?: readonly string[]}> = (
	choice: RangeChoice,
	range: DayRange,
	options: AggregateOptions,
) => Promise<Data>;

/** Requesting a day of users takes about this many times as long as aggregating it once stored. */
const requestWeight = 4;

/** The families of the usage, each with its part of the progress bar. */
const usageParts = [
	['activity', 0.05],
	['tokens', 0.65],
	['tools', 0.1],
	['productivity', 0.1],
] as const;

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

	/**
	 * Reads the chosen range. A preset's last day follows the service's clock, which the first answer reveals,
	 * so the range may be read twice; two days that the user chose are read as they are.
	 */
	async function readRange<Answer>(
		choice: RangeChoice,
		read: (range: DayRange) => Promise<Answer>,
	): Promise<Answer> {
		const lastDay = await service.analytics.lastDay();
		const answer = await read(chosenRange(choice, lastDay));
		if (typeof choice === 'object') return answer;
		const newLastDay = await service.analytics.lastDay();
		return newLastDay === lastDay ? answer : read(chosenRange(choice, newLastDay));
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
		return {problem: {what, ...problem}, ...(readAt !== undefined && {readAt})};
	}

	/** Reads the families of a range, then aggregates its stored days. */
	const reading =
		<Data extends {readonly cut?: readonly string[]}>(stepsOf: StepsOf, addUp: AddUp<Data>): Reading<Data> =>
		(choice, signal, reportProgress) =>
			withFallback(table =>
				readRange(choice, async range => {
					const step = createStepProgress(reportProgress);
					const steps = stepsOf(range, table, step);
					const reader = createUsageReader({service, analytics: table, clock});
					const read = await readFamilies(reader, table, steps, signal);
					const hidden = read.failure?.isRefused ? read.failure.families : [];
					const options = {analytics: withoutFamilies(table, hidden), clock, signal, reportProgress: step(1)};
					const data = await addUp(choice, range, options);
					const notes = [...refusedDays(range, await service.analytics.lastDay()), ...(data.cut ?? [])];
					return {data, ...stateOf(read, table, steps, notes)};
				}),
			);

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
const stepsOfUsage: StepsOf = (range, _, step) => {
	const span = usageSpan(range);
	return usageParts.map(([family, part]) => ({family, range: span, progress: () => step(part)}));
};

const stepsOfPeople: StepsOf = (range, table, step) => {
	const days = dayCount(range);
	const requestCost = (days - table.finalDays('users', range).size) * requestWeight;
	return [
		// Shows how many users to expect.
		{family: 'activity', range, progress: () => step(0.01), isAuxiliary: true},
		{family: 'users', range, progress: () => step((0.99 * requestCost) / (requestCost + days))},
	];
};
