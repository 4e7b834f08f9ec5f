import {ForbiddenError, isServiceError, UnauthorizedError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable} from '../../db/analytics.ts';
import type {Clock} from '../../domain/clock.ts';
import type {Analytics} from '../../domain/organization/analytics.ts';
import {addDays} from '../../domain/time.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import {readDays} from './read-days.ts';
import {readUserDays} from './read-user-days.ts';
import type {ReadingTools, UsageReading, UsageReadOptions} from './usage-reading.ts';

/** Reads analytics into the database, where they are then read row by row. */
export type UsageReader = {
	/**
	 * Requests the days of a family that aren't stored as final, ungrouped: one call includes every breakdown.
	 * Days that can no longer change are requested only once. If all days are stored, requests one day to check
	 * that the key may still see them.
	 *
	 * If the activity of the days is stored, it shows how many users they name: a large organization's days are
	 * requested a few at a time, so that no answer blocks the screen and an aborted read keeps what it has. The
	 * range must be within what the service has. Throws the errors of the calls; what was read before is kept.
	 */
	read(family: AnalyticsFamily, range: DayRange, options?: UsageReadOptions): Promise<UsageReading>;
};

export type UsageReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
};

/** Number of days at the end of the available range that may still change. */
const changingDays = 3;

export function createUsageReader({service, analytics, clock}: UsageReaderParts): UsageReader {
	const tools: ReadingTools = {
		service,
		analytics,
		currentReading: async () => ({
			readAt: clock.now(),
			finalUntil: addDays(await service.analytics.lastDay(), -changingDays),
		}),
		isOtherOrganization: ({meta}: Analytics<unknown>) =>
			meta.org_id !== undefined && analytics.setOrganization(meta.org_id),
	};
	/** Reads the missing days; the result's `calls` is 0 if none was missing. */
	const readMissing: UsageReader['read'] = (family, range, options = {}) =>
		family === 'users' ? readUserDays(tools, range, options) : readDays(tools, family, range, options);

	/**
	 * Checks with a one-day request that the key may still see the stored data. Returns false if the answer
	 * belongs to another organization. Throws if access is refused; if the service doesn't answer, the data is
	 * kept.
	 */
	async function isAllowed(family: AnalyticsFamily, day: string, signal?: AbortSignal): Promise<boolean> {
		const query = {startDate: day, endDate: day, ...(family === 'users' && {limit: 1})};
		try {
			return !tools.isOtherOrganization(await service.analytics[family](query, signal && {signal}));
		} catch (error) {
			if (isRefusal(error) || !isServiceError(error)) throw error;
			return true;
		}
	}

	return {
		async read(family, range, options = {}) {
			const reading = await readMissing(family, range, options);
			if (reading.calls > 0) return reading;
			if (await isAllowed(family, range.endDate, options.signal)) return {...reading, calls: 1};
			return readMissing(family, range, options);
		},
	};
}

/** Whether the error is a 401, 402 or 403: the key may not see this now, whatever was read before. */
export function isRefusal(error: unknown): boolean {
	return error instanceof UnauthorizedError || error instanceof ForbiddenError;
}
