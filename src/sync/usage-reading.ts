import type {Service} from '../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable, Reading} from '../db/analytics.ts';
import type {Analytics} from '../domain/analytics.ts';
import type {DayRange} from '../domain/usage/range.ts';

/** How far a reading is. `total` is absent where nothing tells how much there will be. */
export type UsageProgress = {
	readonly family: AnalyticsFamily;
	readonly unit: 'days' | 'rows';
	readonly done: number;
	readonly total?: number;
};

export type UsageReadOptions = {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: UsageProgress) => void;
};

/** What came of a reading. */
export type UsageReading = {
	/** Calls that were made: none when every day was kept. */
	readonly calls: number;
	/** Items that could not be read, or are of days that were not asked for. */
	readonly skipped: number;
	/** False when the service claims more rows of users and gives no way to them. */
	readonly isWhole: boolean;
	/** The service had more rows of users than are read: how far it went, in words. */
	readonly cut?: string;
};

/** What the readings of all families share. */
export type ReadingTools = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	/** How certain an answer of this moment is. */
	readonly certainty: () => Promise<Reading>;
	/** Is it data of another organization than before? Then nothing that was kept is its, and it was forgotten. */
	readonly isOfAnother: (answer: Analytics<unknown>) => boolean;
};

/**
 * How many users were active on a day, as far as the activity of the range is kept: so many does an answer of that day
 * name. A day that doesn't tell is as the others are. Absent when none tells.
 */
export function activeUsersBy(
	analytics: AnalyticsTable,
	range: DayRange,
): ((day: string) => number) | undefined {
	const activeByDate = new Map<string, number>();
	for (const {date, daily_active_users: active} of analytics.rows('activity', range))
		if (active !== undefined && active >= 0) activeByDate.set(date, active);
	if (activeByDate.size === 0) return undefined;
	const mean = [...activeByDate.values()].reduce((sum, active) => sum + active, 0) / activeByDate.size;
	return day => activeByDate.get(day) ?? mean;
}
