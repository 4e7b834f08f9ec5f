import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import {isRealDay} from '../domain/time.ts';
import {type DayRange, daysIn} from '../domain/usage/range.ts';
import {type Connection, createConnection, fromJson} from './file/connection.ts';
import {openMemory} from './file/open-file.ts';
import {settingsTable} from './settings.ts';

/** Row types of the families with one row per day. */
export type DayRows = {
	readonly tokens: TokenRow;
	readonly tools: ToolRow;
	readonly activity: ActivityRow;
	readonly productivity: ProductivityRow;
};
export type AnalyticsFamily = keyof DayRows | 'users';

/** How final the data is: days up to and including `finalUntil` can no longer change. `readAt` is Unix ms. */
export type Reading = {readonly readAt: number; readonly finalUntil: string};

export type AnalyticsTable = ReturnType<typeof analyticsTable>;

/** Setting: the organization that owns the data, by the service's own id. */
export const analyticsOrganization = 'analytics.organization';

/** Cached analytics. All rows belong to one organization. */
export function analyticsTable(connection: Connection) {
	const settings = settingsTable(connection);

	function writeDay(
		family: AnalyticsFamily,
		day: string,
		{readAt, finalUntil}: Reading,
		body: string | null,
	): void {
		const row = {family, day, read_at: readAt, is_final: day <= finalUntil ? 1 : 0, body};
		connection.upsert('analytics_days', ['family', 'day'], row);
	}
	const daysOf = (family: AnalyticsFamily, {startDate, endDate}: DayRange) =>
		connection.all(
			`SELECT day, is_final, read_at, body IS NOT NULL AS has_body FROM analytics_days
			WHERE family = ? AND day BETWEEN ? AND ? ORDER BY day`,
			...[family, startDate, endDate],
		);

	return {
		/** Days of a family that were final when they were read, so they need no refetch. */
		finalDays: (family: AnalyticsFamily, range: DayRange): ReadonlySet<string> =>
			new Set(daysOf(family, range).flatMap(row => (row.is_final === 1 ? [String(row.day)] : []))),
		/**
		 * The oldest read time (Unix ms) of the days in a range; undefined when any day was never read. A day that was
		 * final then is never out of date, so it counts only where all are.
		 */
		readAt(family: AnalyticsFamily, range: DayRange): number | undefined {
			const days = daysOf(family, range);
			if (days.length < daysIn(range).length) return undefined;
			const open = days.filter(row => row.is_final !== 1);
			return Math.min(...(open.length > 0 ? open : days).map(row => Number(row.read_at)));
		},
		/**
		 * Saves every day of a range at once; a day without a row is saved as having no data at the service. Rows can be
		 * long, so other work can run between their serializing.
		 */
		async put<Family extends keyof DayRows>(
			family: Family,
			range: DayRange,
			rows: readonly DayRows[Family][],
			reading: Reading,
		): Promise<void> {
			const bodies = new Map<string, string>();
			for (const row of rows) {
				bodies.set(row.date, JSON.stringify(row));
				await new Promise(resolve => setImmediate(resolve));
			}
			connection.write('normal', () => {
				for (const day of daysIn(range)) writeDay(family, day, reading, bodies.get(day) ?? null);
			});
		},
		/** Rows of a range in day order. Reads each from disk only when needed, since rows can be long. */
		*rows<Family extends keyof DayRows>(family: Family, range: DayRange): Iterable<DayRows[Family]> {
			const reportedDays = daysOf(family, range).flatMap(row =>
				row.has_body === 1 ? [String(row.day)] : [],
			);
			for (const day of reportedDays) {
				const row = fromJson<DayRows[Family]>(
					connection.get('SELECT body FROM analytics_days WHERE family = ? AND day = ?', family, day)?.body,
				);
				if (row !== undefined) yield row;
			}
		},
		/**
		 * Saves user rows; the last per user and day wins. Skips rows without a valid day. They become visible only when
		 * `endUsers` marks their days as complete.
		 */
		putUsers: (rows: readonly UserRow[]): void =>
			connection.write('normal', () => {
				for (const row of rows) {
					const {date: day, user_id} = row;
					if (day === undefined || !isRealDay(day)) continue;
					const stored = {day, user_id, body: JSON.stringify(row)};
					connection.upsert('analytics_users', ['day', 'user_id'], stored);
				}
			}),
		endUsers: (range: DayRange, reading: Reading): void =>
			connection.write('normal', () => {
				for (const day of daysIn(range)) writeDay('users', day, reading, null);
			}),
		/** Ordered by day and user id. Reads small batches, so the consumer may pause. */
		users: (range: DayRange): Iterable<UserRow> =>
			userRowsOf(
				connection,
				daysOf('users', range).map(({day}) => String(day)),
			),
		/** The organization that owns the cached data; undefined until a response has named it. */
		organization(): string | undefined {
			const id = settings.get(analyticsOrganization);
			return typeof id === 'string' ? id : undefined;
		},
		/** Sets the owning organization. Deletes cached data of any other and returns whether there was any. */
		setOrganization(id: string): boolean {
			const previous = settings.get(analyticsOrganization);
			if (previous === id) return false;
			connection.write('normal', () => {
				connection.run('DELETE FROM analytics_days');
				connection.run('DELETE FROM analytics_users');
				settings.put(analyticsOrganization, id);
			});
			return previous !== undefined;
		},
	};
}

/** Rows per read: takes less than a frame, and few enough that V8 doesn't promote them to the old generation. */
const rowsPerRead = 100;

/** Yields the rows of some days, read in small batches. */
function* userRowsOf(connection: Connection, days: Iterable<string>): Iterable<UserRow> {
	for (const day of days) {
		let last = '';
		for (;;) {
			const rows = connection.all(
				'SELECT user_id, body FROM analytics_users WHERE day = ? AND user_id > ? ORDER BY user_id LIMIT ?',
				day,
				last,
				rowsPerRead,
			);
			for (const {body} of rows) {
				const row = fromJson<UserRow>(body);
				if (row) yield row;
			}
			if (rows.length < rowsPerRead) break;
			last = String(rows.at(-1)?.user_id);
		}
	}
}

/** An in-memory analytics table, for showing fetched data when nothing can be written. */
export function memoryAnalytics(): AnalyticsTable {
	return analyticsTable(createConnection(openMemory(), {now: Date.now}));
}
