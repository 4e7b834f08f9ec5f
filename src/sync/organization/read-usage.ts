import {ForbiddenError, isServiceError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import {type AnalyticsFamily, type AnalyticsTable, memoryAnalytics} from '../../db/analytics.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {chosenRange, type DayRange, type RangeChoice} from '../../domain/usage/range.ts';
import type {Loaded, PeopleData, UsageData} from '../../state/organization/organization.ts';
import {isConnectionError} from '../core/pace.ts';
import {problemOf} from '../core/problem.ts';
import {type Gaps, noteOf, refusedDays} from '../core/reading-gaps.ts';
import {
	type AggregateOptions,
	peopleOfRange,
	type ReportProgress,
	usageOfRange,
	usageSpan,
} from './aggregate-usage.ts';
import {isRefusal, readAnalytics, type UsageProgress, type UsageReaderParts} from './read-analytics.ts';

type Reading<Data> = (
	choice: RangeChoice,
	signal: AbortSignal,
	reportProgress: ReportProgress,
) => Promise<Loaded<Data> & {readonly data: Data}>;

type StepsOf = (range: DayRange) => readonly FamilyStep[];

type AddUp<Data> = (choice: RangeChoice, range: DayRange, options: AggregateOptions) => Promise<Data>;

/**
 * Reads the data that is stored by day: the organization's usage, and the activity of its people. If the disk can't be
 * written, it is kept in memory.
 */
export function createUsageReadings(parts: UsageReaderParts) {
	let readings = readingsOf(parts);
	const read = <Data>(use: (now: typeof readings) => Promise<Data>) =>
		use(readings).catch(error => {
			if (!isStorageError(error)) throw error;
			readings = readingsOf({...parts, analytics: memoryAnalytics()});
			return use(readings);
		});
	return {
		usage: (...asked: Parameters<Reading<UsageData>>) => read(({usage}) => usage(...asked)),
		people: (...asked: Parameters<Reading<PeopleData>>) => read(({people}) => people(...asked)),
	};
}

function readingsOf(parts: UsageReaderParts) {
	const {service, analytics, clock} = parts;

	/** Returns when the data was read and what is missing. If every family failed, that is when it was stored. */
	function stateOf(
		{gaps, failure}: FamiliesRead,
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
			isAuxiliary ? [] : [analytics.readAt(family, range)],
		);
		const readAt = times.every(at => at !== undefined) ? Math.min(...times) : undefined;
		return {problem: {what, ...problem}, readAt};
	}

	/** Reads the families of a range, then aggregates its stored days. */
	const reading =
		<Data extends UsageData | PeopleData>(stepsOf: StepsOf, addUp: AddUp<Data>): Reading<Data> =>
		async (choice, signal, reportProgress) => {
			const read = async (range: DayRange) => {
				const steps = stepsOf(range);
				const families = await readFamilies(parts, steps, {signal, reportProgress});
				const data = await addUp(choice, range, {
					today: await todayIn(service, range),
					analytics,
					clock,
					signal,
					reportProgress,
				});
				const cut = 'people' in data ? (data.cut ?? []) : [];
				const notes = [...refusedDays(range, await service.analytics.lastDay()), ...cut];
				return {data, ...stateOf(families, steps, notes)};
			};
			const rangeOf = (lastDay: string) => chosenRange(choice, lastDay);
			return (await readRange(service, rangeOf, typeof choice === 'object', read)).answer;
		};

	return {
		usage: reading(stepsOfUsage, usageOfRange),
		people: reading(stepsOfPeople, peopleOfRange),
	};
}

/** Activity comes first: it shows how large the other families' days are. */
const stepsOfUsage: StepsOf = range =>
	(['activity', 'tokens', 'tools', 'productivity'] as const).map(family => ({
		family,
		range: usageSpan(range),
	}));

const stepsOfPeople: StepsOf = range => [
	// Shows how many users to expect.
	{family: 'activity', range, isAuxiliary: true},
	{family: 'users', range},
];

/**
 * Reads the range that `rangeOf` gives for the last day with data. That day follows the service's clock, which the first
 * answer reveals, so the range may be read twice; one that `isFixed` is read as it is, and `refused` says if the service
 * has no data yet for its end.
 */
export async function readRange<Answer>(
	{analytics}: Service,
	rangeOf: (lastDay: string) => DayRange,
	isFixed: boolean,
	read: (range: DayRange) => Promise<Answer>,
): Promise<{readonly range: DayRange; readonly answer: Answer; readonly refused: readonly string[]}> {
	const firstDay = await analytics.lastDay();
	const range = rangeOf(firstDay);
	const answer = await read(range);
	const lastDay = await analytics.lastDay();
	if (!isFixed && lastDay !== firstDay) {
		const newRange = rangeOf(lastDay);
		return {range: newRange, answer: await read(newRange), refused: []};
	}
	const endDate = lastDay < range.endDate ? lastDay : range.endDate;
	return {range: {...range, endDate}, answer, refused: refusedDays(range, lastDay)};
}

/** The last day of a range, if it is today: then its data isn't complete. */
export async function todayIn({analytics}: Service, {endDate}: DayRange): Promise<string | undefined> {
	const isToday = endDate > (await analytics.lastDay(false)) && endDate <= (await analytics.lastDay());
	return isToday ? endDate : undefined;
}

type FamilyStep = {
	readonly family: AnalyticsFamily;
	readonly range: DayRange;
	/** Only helps to read the other families; the result is complete without it. */
	readonly isAuxiliary?: boolean;
};

type FamiliesRead = {
	readonly gaps: readonly Gaps[];
	/** The families that could not be read, whether these are all that would be shown, and the first error. */
	readonly failure?: {
		readonly families: readonly AnalyticsFamily[];
		readonly isAll: boolean;
		readonly error: unknown;
	};
};

/**
 * Reads families one after the other. If one fails, the others are still read, unless the error would affect
 * all of them, such as a missing permission. Throws errors
 * that don't come from the service; also throws if all families failed and the key was refused or none of
 * their days is stored, since then there is nothing to show.
 */
async function readFamilies(
	parts: UsageReaderParts,
	steps: readonly FamilyStep[],
	{signal, reportProgress}: {signal: AbortSignal; reportProgress: ReportProgress},
): Promise<FamiliesRead> {
	const gaps: Gaps[] = [];
	const failed: AnalyticsFamily[] = [];
	let first: unknown;
	let isStopped = false;
	const onProgress = ({family, unit, done, total}: UsageProgress) => {
		const of = total === undefined ? '' : ` of ${unit === 'rows' ? 'about ' : ''}${total}`;
		reportProgress(`reading ${family}: ${done}${of} ${unit}`);
	};
	for (const {family, range, isAuxiliary = false} of steps) {
		if (!isStopped)
			try {
				const read = await readAnalytics(parts, family, range, {signal, onProgress});
				if (!isAuxiliary) gaps.push(read);
				continue;
			} catch (error) {
				if (!isServiceError(error)) throw error;
				first ??= error;
				isStopped = isConnectionError(error) || error instanceof ForbiddenError;
			}
		if (!isAuxiliary) failed.push(family);
	}
	if (failed.length === 0) return {gaps};
	const shown = steps.filter(({isAuxiliary}) => !isAuxiliary);
	const isAll = failed.length === shown.length;
	if (isAll && (isRefusal(first) || !shown.some(step => hasStoredRows(parts.analytics, step)))) throw first;
	return {gaps, failure: {families: failed, isAll, error: first}};
}

function hasStoredRows(analytics: AnalyticsTable, {family, range}: FamilyStep): boolean {
	const rows: Iterable<unknown> = family === 'users' ? analytics.users(range) : analytics.rows(family, range);
	for (const _ of rows) return true;
	return false;
}
