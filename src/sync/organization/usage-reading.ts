import type {Service} from '../../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable, Reading} from '../../db/analytics.ts';
import type {Analytics} from '../../domain/organization/analytics.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import type {Gaps} from '../core/reading-gaps.ts';

/** Progress of a read. `total` is absent if it is unknown. */
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

export type UsageReading = Gaps & {
	/** Number of calls made; 0 if every day was stored. */
	readonly calls: number;
};

export type ReadingTools = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	/** When data read now was read, and up to which day it is final. */
	readonly currentReading: () => Promise<Reading>;
	/** Whether the answer belongs to a different organization than the stored data, which is then deleted. */
	readonly isOtherOrganization: (answer: Analytics<unknown>) => boolean;
};

/**
 * Returns the number of users active on a day, from the stored activity of the range: an answer for that day
 * names as many. Days without a number get the mean. `undefined` if no day has one.
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
