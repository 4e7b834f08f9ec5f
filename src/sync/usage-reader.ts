import {ForbiddenError, isServiceError, UnauthorizedError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {AnalyticsFamily, AnalyticsTable} from '../db/analytics.ts';
import type {Analytics} from '../domain/analytics.ts';
import {addDays} from '../domain/time.ts';
import type {DayRange} from '../domain/usage/range.ts';
import type {Clock} from './clock.ts';
import {readDays} from './read-days.ts';
import {readUserDays} from './read-user-days.ts';
import type {ReadingTools, UsageReading, UsageReadOptions} from './usage-reading.ts';

/** Brings analytics into the database, from which they are then read row by row. */
export type UsageReader = {
	/**
	 * Asks for the days of a family that are not kept for good, ungrouped: one call carries every breakdown. Days older
	 * than three can no longer change and are asked for once; where all are kept, one day is asked for to learn whether the key may still see them. Where the activity of the days is kept, it tells how many
	 * users they name: the days of a large organization are asked for a few at a time, so that no answer holds up the
	 * screen and a reading that is ended has kept what it got. The range must be within what the service has. Throws what
	 * calls throw; what came before the failure is kept.
	 */
	read(family: AnalyticsFamily, range: DayRange, options?: UsageReadOptions): Promise<UsageReading>;
};

export type UsageReaderParts = {
	readonly service: Service;
	readonly analytics: AnalyticsTable;
	readonly clock: Clock;
};

/** Days before the last one there is that may still change. */
const changingDays = 3;

export function createUsageReader({service, analytics, clock}: UsageReaderParts): UsageReader {
	const tools: ReadingTools = {
		service,
		analytics,
		certainty: async () => ({
			readAt: clock.now(),
			finalUntil: addDays(await service.analytics.lastDay(), -changingDays),
		}),
		isOfAnother: ({meta}: Analytics<unknown>) =>
			meta.org_id !== undefined && analytics.setOrganization(meta.org_id),
	};
	/** Reads what is missing, and answers whether anything was asked. */
	const readMissing: UsageReader['read'] = (family, range, options = {}) =>
		family === 'users' ? readUserDays(tools, range, options) : readDays(tools, family, range, options);

	/**
	 * Is the key still allowed to see what is kept? Asked with one day, since nothing else is. False when the answer is
	 * another organization's. Throws a refusal; a service that gives no answer takes nothing away.
	 */
	async function isAllowed(family: AnalyticsFamily, day: string, signal?: AbortSignal): Promise<boolean> {
		const query = {startDate: day, endDate: day, ...(family === 'users' && {limit: 1})};
		try {
			return !tools.isOfAnother(await service.analytics[family](query, signal && {signal}));
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

/** 401, 402 and 403: whoever has the key may not see this now, whatever was read before. */
export function isRefusal(error: unknown): boolean {
	return error instanceof UnauthorizedError || error instanceof ForbiddenError;
}
