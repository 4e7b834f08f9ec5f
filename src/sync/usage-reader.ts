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
	 * than three can no longer change and are asked for once. Where the activity of the days is kept, it tells how many
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
	return {
		read: (family, range, options = {}) =>
			family === 'users' ? readUserDays(tools, range, options) : readDays(tools, family, range, options),
	};
}
