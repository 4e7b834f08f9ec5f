import {ifPossible} from '../domain/if-possible.ts';
import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import {isRealDay} from '../domain/time.ts';
import {personMeasures} from '../domain/usage/people.ts';
import {type DayRange, daysIn} from '../domain/usage/range.ts';
import {type Connection, createConnection, fromJson, type Row} from './file/connection.ts';
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
		body: Buffer | null,
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
		 * Saves every day of a range; a day without a row is saved as having no data at the service. Rows can be
		 * long, so they are compressed one at a time, and other work can run in between.
		 */
		async put<Family extends keyof DayRows>(
			family: Family,
			range: DayRange,
			rows: readonly DayRows[Family][],
			reading: Reading,
		): Promise<void> {
			const bodies = new Map<string, Buffer>();
			for (const row of rows) bodies.set(row.date, await pack(row));
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
				const row = unpack(
					connection.get('SELECT body FROM analytics_days WHERE family = ? AND day = ?', family, day)?.body,
				);
				if (row !== undefined) yield row as DayRows[Family];
			}
		},
		/** Saves user rows. They become visible only when `endUsers` marks their days as complete. */
		putUsers: (rows: readonly UserRow[]): void =>
			connection.write('normal', () => addUserRows(connection, rows)),
		endUsers: (range: DayRange, reading: Reading): void =>
			connection.write('normal', () => {
				for (const day of daysIn(range)) writeDay('users', day, reading, null);
			}),
		/** Ordered by day, then by when a user was first seen. Reads small batches, so the consumer may pause. */
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
				clearUserRows(connection);
				settings.put(analyticsOrganization, id);
			});
			return previous !== undefined;
		},
	};
}

/** Rows longer than this (characters) yield to the event loop between serializing and compressing. */
const longRow = 100_000;

/** Loaded lazily: no screen needs it at startup. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** A large organization's day lists every user; compression cuts it to a tenth. */
async function pack(row: object): Promise<Buffer> {
	const text = JSON.stringify(row);
	if (text.length > longRow) await new Promise(resolve => setImmediate(resolve));
	return zlib().deflateRawSync(text, {level: 1});
}

/** A row that can't be decoded counts as an unknown day. */
function unpack(body: unknown): unknown {
	if (!(body instanceof Uint8Array)) return undefined;
	return ifPossible(() => JSON.parse(zlib().inflateRawSync(body).toString()));
}

// User rows by day: 20,000 users over 90 days make 1,800,000 rows, so each is stored as its numbers and two
// keys.

const numbers = [...personMeasures, 'autonomy_ratio'] as const;
const insert = `INSERT INTO analytics_users (day, person, traits, ${numbers.join(', ')})
	VALUES (?, ?, ?, ${numbers.map(() => '?').join(', ')})
	ON CONFLICT (day, person) DO UPDATE SET traits = excluded.traits,
	${numbers.map(name => `${name} = excluded.${name}`).join(', ')}`;
const select = 'SELECT * FROM analytics_users WHERE day = ? AND person > ? ORDER BY person LIMIT ?';
const numeric: ReadonlySet<string> = new Set(numbers);
const keyColumns: ReadonlySet<string> = new Set(['user_id', 'user_email', 'date']);
/** Rows per read: takes less than a frame, and few enough that V8 doesn't promote them to the old generation. */
const rowsPerRead = 100;

/** Saves user rows; the last per user and day wins. Skips rows without a valid day. Call inside a write. */
function addUserRows(connection: Connection, rows: readonly UserRow[]): void {
	// A page holds many days for few users.
	const keyOfPerson = memoize((id: string) => personKey(connection, id));
	const keyOfTraits = memoize((body: string) => traitsKey(connection, body));
	const emails = new Map<number, string>();
	for (const row of rows) {
		if (row.date === undefined || !isRealDay(row.date)) continue;
		const person = keyOfPerson(row.user_id);
		if (row.user_email !== undefined) emails.set(person, row.user_email);
		// Strings and fields outside the contract repeat across many rows, so each combination is stored once.
		const rest = Object.entries(row).filter(([key]) => !numeric.has(key) && !keyColumns.has(key));
		const traits = rest.length === 0 ? null : keyOfTraits(JSON.stringify(Object.fromEntries(rest)));
		connection.run(insert, dayNumber(row.date), person, traits, ...numbers.map(name => row[name] ?? null));
	}
	for (const [person, email] of emails)
		connection.run(
			'UPDATE analytics_people SET email = ? WHERE key = ? AND email IS NOT ?',
			email,
			person,
			email,
		);
}

/** Yields the rows of some days, read in small batches; names and strings are cached for the walk. */
function* userRowsOf(connection: Connection, dates: Iterable<string>): Iterable<UserRow> {
	const nameOf = memoize(
		(key: number) =>
			connection.get('SELECT user_id, email FROM analytics_people WHERE key = ?', key) as Name | undefined,
	);
	const traitsOf = memoize((key: number) =>
		fromJson<object>(connection.get('SELECT body FROM analytics_traits WHERE key = ?', key)?.body),
	);
	for (const date of dates) {
		let last = 0;
		for (;;) {
			const rows = connection.all(select, dayNumber(date), last, rowsPerRead);
			for (const row of rows) {
				const name = nameOf(Number(row.person));
				if (name) yield userRow(row, name, date, traitsOf);
			}
			if (rows.length < rowsPerRead) break;
			last = Number(rows.at(-1)?.person);
		}
	}
}

function clearUserRows(connection: Connection): void {
	for (const table of ['analytics_users', 'analytics_people', 'analytics_traits'])
		connection.run(`DELETE FROM ${table}`);
}

type Name = {readonly user_id: string; readonly email: string | null};

function userRow(
	row: Row,
	{user_id, email}: Name,
	date: string,
	traitsOf: (key: number) => object | undefined,
): UserRow {
	const read: Record<string, unknown> = {user_id};
	if (email !== null) read.user_email = email;
	read.date = date;
	for (const name of numbers) if (row[name] !== null) read[name] = row[name];
	return Object.assign(read, row.traits === null ? undefined : traitsOf(Number(row.traits))) as UserRow;
}

function personKey(connection: Connection, id: string): number {
	const known = connection.get('SELECT key FROM analytics_people WHERE user_id = ?', id);
	if (known) return Number(known.key);
	connection.run('INSERT INTO analytics_people (user_id) VALUES (?)', id);
	return connection.lastKey();
}

function traitsKey(connection: Connection, body: string): number {
	const known = connection.get('SELECT key FROM analytics_traits WHERE body = ?', body);
	if (known) return Number(known.key);
	connection.run('INSERT INTO analytics_traits (body) VALUES (?)', body);
	return connection.lastKey();
}

/** Cache limit: enough for all names of a large organization and its few thousand strings. */
const maxCached = 50_000;

/** Caches the results of `read`, at most `maxCached` of them. */
function memoize<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
	const cached = new Map<Key, Value>();
	return key => {
		const known = cached.get(key);
		if (known !== undefined) return known;
		const value = read(key);
		if (cached.size >= maxCached) cached.clear();
		cached.set(key, value);
		return value;
	};
}

/** Days since 1970: takes an eighth of the date string's space. */
function dayNumber(date: string): number {
	return Date.parse(date) / 86_400_000;
}

/** An in-memory analytics table, for showing fetched data when nothing can be written. */
export function memoryAnalytics(): AnalyticsTable {
	return analyticsTable(createConnection(openMemory(), {now: Date.now}));
}
