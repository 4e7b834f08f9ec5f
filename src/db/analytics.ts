import {promisify} from 'node:util';
import {deflate, inflateSync} from 'node:zlib';
import {ifPossible} from '../domain/if-possible.ts';
import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import {type DayRange, daysIn} from '../domain/usage/range.ts';
import {type Connection, createConnection} from './file/connection.ts';
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
		body: Uint8Array | null,
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
		/** Saves every day of a range at once; a day without a row is saved as having no data at the service. */
		async put<Family extends keyof DayRows>(
			family: Family,
			range: DayRange,
			rows: readonly DayRows[Family][],
			reading: Reading,
		): Promise<void> {
			const bodies = new Map<string, Uint8Array>();
			for (const row of rows) bodies.set(row.date, await toBody(row));
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
				const row = fromBody<DayRows[Family]>(
					connection.get('SELECT body FROM analytics_days WHERE family = ? AND day = ?', family, day)?.body,
				);
				if (row !== undefined) yield row;
			}
		},
		/** Saves every day of a range at once; the last row per user and day wins. */
		async putUsers(range: DayRange, rows: readonly UserRow[], reading: Reading): Promise<void> {
			const parts: {day: string; user_id: string; body: Uint8Array}[] = [];
			for (const [day = '', ofDay] of Map.groupBy(rows, ({date}) => date)) {
				const users = [...new Map(ofDay.map(row => [row.user_id, row])).values()];
				users.sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
				for (let at = 0; at < users.length; at += rowsInPart) {
					const part = users.slice(at, at + rowsInPart);
					parts.push({day, user_id: part[0]?.user_id ?? '', body: await toBody(part)});
				}
			}
			connection.write('normal', () => {
				for (const day of daysIn(range)) {
					connection.run('DELETE FROM analytics_users WHERE day = ?', day);
					writeDay('users', day, reading, null);
				}
				for (const part of parts) connection.upsert('analytics_users', ['day', 'user_id'], part);
			});
		},
		/** Ordered by day and user id. Reads one part after the other, so the consumer may pause. */
		*users(range: DayRange): Iterable<UserRow> {
			for (const {day} of daysOf('users', range))
				for (const {body} of connection.all(
					'SELECT body FROM analytics_users WHERE day = ? ORDER BY user_id',
					String(day),
				))
					yield* [fromBody<UserRow | UserRow[]>(body) ?? []].flat();
		},
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

/** Users of a day that are saved in one body: reading it takes less than a frame. */
const rowsInPart = 500;

/** Compressed, since a large organization's month is 50 MB of JSON. */
const toBody = async (value: unknown): Promise<Uint8Array> => promisify(deflate)(JSON.stringify(value));

/** Undefined for a body that can't be read. Days that were saved earlier aren't compressed, nor are their users joined. */
function fromBody<Value>(body: unknown): Value | undefined {
	return ifPossible(() =>
		JSON.parse(typeof body === 'string' ? body : inflateSync(body as Uint8Array).toString()),
	);
}

/** An in-memory analytics table, for showing fetched data when nothing can be written. */
export function memoryAnalytics(): AnalyticsTable {
	return analyticsTable(createConnection(openMemory(), {now: Date.now}));
}
