import {ForbiddenError, isServiceError} from '../../api/errors.ts';
import type {AnalyticsFamily, AnalyticsTable} from '../../db/analytics.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import type {ReadingProgress} from '../../state/organization/organization.ts';
import {isConnectionError} from '../core/circuit-breaker.ts';
import type {Gaps} from '../core/reading-gaps.ts';
import {isRefusal, type UsageReader} from './usage-reader.ts';
import type {UsageProgress} from './usage-reading.ts';

export type ReportProgress = (progress: ReadingProgress) => void;

/** Reports the progress of a step: `done` is 0 to 1, absent if the total is unknown. */
export type StepProgress = (text: string, done?: number) => void;

/** The progress of a step that fills the bar from `start` to `end`. */
export function stepProgress(reportProgress: ReportProgress, start: number, end: number): StepProgress {
	return (text, done) =>
		reportProgress(done === undefined ? {text} : {text, share: start + (end - start) * Math.min(1, done)});
}

export function partsOf(steps: readonly FamilyStep[]): number {
	return steps.reduce((sum, {part}) => sum + part, 0);
}

export type FamilyStep = {
	readonly family: AnalyticsFamily;
	readonly range: DayRange;
	/** Its part of the progress bar, 0 to 1. */
	readonly part: number;
	/** Only helps to read the other families; the result is complete without it. */
	readonly isAuxiliary?: boolean;
};

export type FamiliesRead = {
	readonly gaps: readonly Gaps[];
	/** The families that could not be read, whether these are all that would be shown, and the first error. */
	readonly failure?: {
		readonly families: readonly AnalyticsFamily[];
		readonly isAll: boolean;
		readonly error: unknown;
		/** The key may not read these families: don't show what was stored of them earlier, either. */
		readonly isRefused: boolean;
	};
};

/**
 * Reads families one after the other. If one fails, the others are still read, unless the error would affect
 * all of them, such as a missing permission. After a refusal, stored data isn't shown either. Throws errors
 * that don't come from the service; also throws if all families failed and the key was refused or none of
 * their days is stored, since then there is nothing to show.
 */
export async function readFamilies(
	reader: UsageReader,
	analytics: AnalyticsTable,
	steps: readonly FamilyStep[],
	{signal, reportProgress}: {signal: AbortSignal; reportProgress: ReportProgress},
): Promise<FamiliesRead> {
	const gaps: Gaps[] = [];
	const failed: AnalyticsFamily[] = [];
	let first: unknown;
	let isStopped = false;
	for (const [index, {family, range, isAuxiliary = false}] of steps.entries()) {
		const [start, end] = [partsOf(steps.slice(0, index)), partsOf(steps.slice(0, index + 1))];
		const onProgress = progressReporter(stepProgress(reportProgress, start, end));
		if (!isStopped)
			try {
				const read = await reader.read(family, range, {signal, onProgress});
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
	const isRefused = isRefusal(first);
	if (isAll && (isRefused || !shown.some(step => hasStoredRows(analytics, step)))) throw first;
	return {gaps, failure: {families: failed, isAll, error: first, isRefused}};
}

function hasStoredRows(analytics: AnalyticsTable, {family, range}: FamilyStep): boolean {
	const rows: Iterable<unknown> = family === 'users' ? analytics.users(range) : analytics.rows(family, range);
	for (const _ of rows) return true;
	return false;
}

function progressReporter(reportProgress: StepProgress): (progress: UsageProgress) => void {
	return ({family, unit, done, total}) => {
		const of = total === undefined ? '' : ` of ${unit === 'rows' ? 'about ' : ''}${total}`;
		reportProgress(`reading ${family}: ${done}${of} ${unit}`, total ? done / total : undefined);
	};
}
