import {
	ForbiddenError,
	isServiceError,
	RateLimitedError,
	UnauthorizedError,
	UnreachableError,
} from '../api/errors.ts';
import type {AnalyticsFamily, AnalyticsTable} from '../db/analytics.ts';
import type {DayRange} from '../domain/usage/range.ts';
import type {Gaps} from './reading-gaps.ts';
import type {StepProgress} from './step-progress.ts';
import {isRefusal, type UsageReader} from './usage-reader.ts';
import type {UsageProgress} from './usage-reading.ts';

/** A family that is to be read, and how it tells how far it is. */
export type FamilyStep = {
	readonly family: AnalyticsFamily;
	readonly range: DayRange;
	/** Called when it is this family's turn. */
	readonly progress: () => StepProgress;
	/** It helps to read the others: what is shown lacks nothing without it. */
	readonly isAside?: boolean;
};

/** What came of reading several families. */
export type FamiliesRead = {
	readonly gaps: readonly Gaps[];
	/** Families that could not be read, whether these are all that is shown, and why the first of them could not. */
	readonly failure?: {
		readonly families: readonly AnalyticsFamily[];
		readonly isAll: boolean;
		readonly error: unknown;
		/** The key may not read these families: what was read of them before is not to be shown. */
		readonly isRefused: boolean;
	};
};

/**
 * Reads families one after the other. One that fails leaves the others to be read; after a failure that all would share,
 * such as a refused role, nobody asks on; under a refusal nothing that was kept is shown either. Throws what is no failure of the service, and the failure of all families where
 * none of their days is kept: then there is nothing to show.
 */
export async function readFamilies(
	reader: UsageReader,
	analytics: AnalyticsTable,
	steps: readonly FamilyStep[],
	signal: AbortSignal,
): Promise<FamiliesRead> {
	const gaps: Gaps[] = [];
	const failed: AnalyticsFamily[] = [];
	let first: unknown;
	let isOver = false;
	for (const {family, range, progress, isAside = false} of steps) {
		const onProgress = wordsTo(progress());
		if (!isOver)
			try {
				const read = await reader.read(family, range, {signal, onProgress});
				if (!isAside) gaps.push(read);
				continue;
			} catch (error) {
				if (!isServiceError(error)) throw error;
				first ??= error;
				isOver = isOfAll(error);
			}
		if (!isAside) failed.push(family);
	}
	if (failed.length === 0) return {gaps};
	const shown = steps.filter(({isAside}) => !isAside);
	const isAll = failed.length === shown.length;
	const isRefused = isRefusal(first);
	if (isAll && (isRefused || !shown.some(step => isSaved(analytics, step)))) throw first;
	return {gaps, failure: {families: failed, isAll, error: first, isRefused}};
}

/** Whether a failure applies to every family: they share the key, the role, the connection and the rate limit. */
function isOfAll(error: unknown): boolean {
	const shared = [UnauthorizedError, ForbiddenError, UnreachableError, RateLimitedError];
	return shared.some(kind => error instanceof kind);
}

/** Is there a row of it from before? */
function isSaved(analytics: AnalyticsTable, {family, range}: FamilyStep): boolean {
	const rows: Iterable<unknown> = family === 'users' ? analytics.users(range) : analytics.rows(family, range);
	for (const _ of rows) return true;
	return false;
}

/** A family's progress, in words and as a part of its step. */
function wordsTo(reportProgress: StepProgress): (progress: UsageProgress) => void {
	return ({family, unit, done, total}) => {
		const of = total === undefined ? '' : ` of ${unit === 'rows' ? 'about ' : ''}${total}`;
		reportProgress(`reading ${family}: ${done}${of} ${unit}`, total ? done / total : undefined);
	};
}
