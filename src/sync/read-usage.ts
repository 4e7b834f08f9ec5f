import type {Service} from '../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable} from '../db/analytics.ts';
import {memoryAnalytics} from '../db/memory-analytics.ts';
import {isStorageError} from '../db/storage-error.ts';
import {chosenRange, type DayRange, dayCount, type RangeChoice} from '../domain/usage/range.ts';
import type {Loaded, PeopleData, ReadingProgress, UsageData} from '../state/organization.ts';
import type {Clock} from './clock.ts';
import {type AggregateOptions, peopleOfRange, usageOfRange, usageSpan} from './organization-usage.ts';
import {problemOf} from './problem.ts';
import {type FamiliesRead, type FamilyStep, readFamilies} from './read-families.ts';
import {noteOf, refusedDays} from './reading-gaps.ts';
import {createStepProgress} from './step-progress.ts';
import {createUsageReader} from './usage-reader.ts';

type Reading<Data> = (
	choice: RangeChoice,
	signal: AbortSignal,
	reportProgress: (progress: ReadingProgress) => void,
) => Promise<Loaded<Data> & {readonly data: Data}>;

/** Reads what is told by days: what the organization used, and what each of its people did. */
export type UsageReadings = {
	readonly usage: Reading<UsageData>;
	readonly people: Reading<PeopleData>;
};

export type UsageReadingsParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
};

/** Families to be read for a range, and their parts of a bar. */
type StepsOf = (
	range: DayRange,
	analytics: AnalyticsTable,
	step: ReturnType<typeof createStepProgress>,
) => readonly FamilyStep[];

type AddUp<Data extends {readonly cut?: readonly string[]}> = (
	choice: RangeChoice,
	range: DayRange,
	adding: AggregateOptions,
) => Promise<Data>;

/** Asking for a day of users is about so many times the work of adding it up once it is kept. */
const askingWeight = 4;

/** The families of the usage, each with its part of the bar. */
const usageParts = [
	['activity', 0.05],
	['tokens', 0.65],
	['tools', 0.1],
	['productivity', 0.1],
] as const;

export function createUsageReadings({service, clock, ...parts}: UsageReadingsParts): UsageReadings {
	let {analytics} = parts;

	/** A disk that takes nothing is no reason to show nothing: what is read goes to memory then. */
	async function kept<Answer>(use: (table: AnalyticsTable) => Promise<Answer>): Promise<Answer> {
		try {
			return await use(analytics);
		} catch (error) {
			if (!isStorageError(error)) throw error;
			analytics = memoryAnalytics();
			return use(analytics);
		}
	}

	/**
	 * Reads the range of a choice. The last day of a preset follows the service's clock, which its first answer tells; two
	 * days that the user chose are read as they are.
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

	/** How old what is shown is, and what it lacks. Where nothing at all was read it is as old as what is kept. */
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
		const times = steps.flatMap(({family, range, isAside}) => (isAside ? [] : [table.readAt(family, range)]));
		const readAt = times.every(at => at !== undefined) ? Math.min(...times) : undefined;
		return {problem: {what, ...problem}, ...(readAt !== undefined && {readAt})};
	}

	/** Reads families of a range, then adds up what is kept of it. */
	const reading =
		<Data extends {readonly cut?: readonly string[]}>(stepsOf: StepsOf, addUp: AddUp<Data>): Reading<Data> =>
		(choice, signal, reportProgress) =>
			kept(table =>
				readRange(choice, async range => {
					const step = createStepProgress(reportProgress);
					const steps = stepsOf(range, table, step);
					const reader = createUsageReader({service, analytics: table, clock});
					const read = await readFamilies(reader, table, steps, signal);
					const hidden = read.failure?.isRefused ? read.failure.families : [];
					const adding = {analytics: withoutFamilies(table, hidden), clock, signal, reportProgress: step(1)};
					const data = await addUp(choice, range, adding);
					const notes = [...refusedDays(range, await service.analytics.lastDay()), ...(data.cut ?? [])];
					return {data, ...stateOf(read, table, steps, notes)};
				}),
			);

	return {
		usage: reading(stepsOfUsage, usageOfRange),
		people: reading(stepsOfPeople, peopleOfRange),
	};
}

/** The table without what the key may not see now. */
function withoutFamilies(table: AnalyticsTable, families: readonly AnalyticsFamily[]): AnalyticsTable {
	if (families.length === 0) return table;
	return {
		...table,
		rows: (family, range) => (families.includes(family) ? [] : table.rows(family, range)),
		users: range => (families.includes('users') ? [] : table.users(range)),
	};
}

/** Activity comes first: it tells how large the others' days are. */
const stepsOfUsage: StepsOf = (range, _, step) => {
	const span = usageSpan(range);
	return usageParts.map(([family, part]) => ({family, range: span, progress: () => step(part)}));
};

const stepsOfPeople: StepsOf = (range, table, step) => {
	const days = dayCount(range);
	const asked = (days - table.finalDays('users', range).size) * askingWeight;
	return [
		// It tells how many users there will be.
		{family: 'activity', range, progress: () => step(0.01), isAside: true},
		{family: 'users', range, progress: () => step((0.99 * asked) / (asked + days))},
	];
};
