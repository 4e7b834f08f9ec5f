import type {ActivityRow, ProductivityRow, TokenRow, ToolRow, UserRow} from '../domain/analytics.ts';
import {type DayRange, daysIn} from '../domain/usage/range.ts';
import type {Connection} from './connection.ts';
import {settingsTable} from './settings.ts';
import {addUserRows, clearUserRows, userRowOf, userRowsOf} from './user-rows.ts';

/** Rows of the families that have one a day. */
export type DayRows = {
	readonly tokens: TokenRow;
	readonly tools: ToolRow;
	readonly activity: ActivityRow;
	readonly productivity: ProductivityRow;
};
export type AnalyticsFamily = keyof DayRows | 'users';

/** How certain what was read is: days up to `finalUntil` can no longer change. `readAt` is Unix ms. */
export type Reading = {readonly readAt: number; readonly finalUntil: string};

/** What was read of the analytics. Everything belongs to one organization. */
export type AnalyticsTable = {
	/** Days of a family that were read when they could no longer change: they need not be asked again. */
	finalDays(family: AnalyticsFamily, range: DayRange): ReadonlySet<string>;
	/** When the days of a range were read, the longest ago; absent when one was never read. */
	readAt(family: AnalyticsFamily, range: DayRange): number | undefined;
	/**
	 * Keeps all days of a range: those without a row are kept as days of which the service has none. Rows can be long: they
	 * are packed one at a time, and whatever waits has its turn between.
	 */
	put<Family extends keyof DayRows>(
		family: Family,
		range: DayRange,
		rows: readonly DayRows[Family][],
		reading: Reading,
	): Promise<void>;
	/** Rows of a range in order, each read from disk when it is its turn: they can be long. */
	rows<Family extends keyof DayRows>(family: Family, range: DayRange): Iterable<DayRows[Family]>;
	/** Keeps rows of users; they show only when `endUsers` has told that their days are whole. */
	putUsers(rows: readonly UserRow[]): void;
	endUsers(range: DayRange, reading: Reading): void;
	/** By day, users in the order they were first seen; read in short stretches, so whoever takes them may pause. */
	users(range: DayRange): Iterable<UserRow>;
	/** The days of one user, in order. */
	userDays(userId: string, range: DayRange): UserRow[];
	/** Whose data is kept; absent before an answer has told it. */
	organization(): string | undefined;
	/** Tells whose data comes now. What was kept of another organization is forgotten; answers whether it was. */
	setOrganization(id: string): boolean;
};

/** Setting: whose data it is, by the service's own name of the organization. */
export const analyticsOrganization = 'analytics.organization';

export function analyticsTable(connection: Connection): AnalyticsTable {
	const settings = settingsTable(connection);

	function mark(
		family: AnalyticsFamily,
		day: string,
		{readAt, finalUntil}: Reading,
		body: Buffer | null,
	): void {
		connection.run(
			`INSERT INTO analytics_days (family, day, read_at, is_final, body) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (family, day) DO UPDATE SET
			read_at = excluded.read_at, is_final = excluded.is_final, body = excluded.body`,
			...[family, day, readAt, day <= finalUntil ? 1 : 0, body],
		);
	}
	const daysOf = (family: AnalyticsFamily, {startDate, endDate}: DayRange) =>
		connection.all(
			`SELECT day, is_final, read_at, body IS NOT NULL AS has_body FROM analytics_days
			WHERE family = ? AND day BETWEEN ? AND ? ORDER BY day`,
			...[family, startDate, endDate],
		);

	return {
		finalDays: (family, range) =>
			new Set(daysOf(family, range).flatMap(row => (row.is_final === 1 ? [String(row.day)] : []))),
		readAt(family, range) {
			const days = daysOf(family, range);
			if (days.length < daysIn(range).length) return undefined;
			return days.reduce((oldest, row) => Math.min(oldest, Number(row.read_at)), Number.POSITIVE_INFINITY);
		},
		async put(family, range, rows, reading) {
			const bodies = new Map<string, Buffer>();
			for (const row of rows) bodies.set(row.date, await pack(row));
			connection.write('normal', () => {
				for (const day of daysIn(range)) mark(family, day, reading, bodies.get(day) ?? null);
			});
		},
		*rows<Family extends keyof DayRows>(family: Family, range: DayRange) {
			const reportedDays = daysOf(family, range).flatMap(row =>
				row.has_body === 1 ? [String(row.day)] : [],
			);
			for (const day of reportedDays) {
				const row = unpack(
					connection.get('SELECT body FROM analytics_days WHERE family = ? AND day = ?', family, day)?.body,
				);
				if (row !== undefined) yield row as DayRows[Family];
			}
		},
		putUsers: rows => connection.write('normal', () => addUserRows(connection, rows)),
		endUsers: (range, reading) =>
			connection.write('normal', () => {
				for (const day of daysIn(range)) mark('users', day, reading, null);
			}),
		users: range =>
			userRowsOf(
				connection,
				daysOf('users', range).map(({day}) => String(day)),
			),
		userDays: (userId, range) =>
			daysOf('users', range).flatMap(({day}) => userRowOf(connection, userId, String(day)) ?? []),
		organization() {
			const id = settings.get(analyticsOrganization);
			return typeof id === 'string' ? id : undefined;
		},
		setOrganization(id) {
			const before = settings.get(analyticsOrganization);
			if (before === id) return false;
			connection.write('normal', () => {
				connection.run('DELETE FROM analytics_days');
				clearUserRows(connection);
				settings.put(analyticsOrganization, id);
			});
			return before !== undefined;
		},
	};
}

/** Characters from which on writing a row's text and packing it are work of their own each. */
const long = 100_000;

/** Loaded late: no screen needs it to begin. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** A day of a large organization names every user: packed it takes a tenth. */
async function pack(row: object): Promise<Buffer> {
	const text = JSON.stringify(row);
	if (text.length > long) await new Promise(resolve => setImmediate(resolve));
	return zlib().deflateRawSync(text, {level: 1});
}

/** A row that can't be read any more is a day that is unknown. */
function unpack(body: unknown): unknown {
	if (!(body instanceof Uint8Array)) return undefined;
	try {
		return JSON.parse(zlib().inflateRawSync(body).toString());
	} catch {
		return undefined;
	}
}
