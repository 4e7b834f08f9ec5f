import type {UserRow} from '../domain/organization/analytics.ts';
import {isRealDay} from '../domain/time.ts';
import {personMeasures} from '../domain/usage/people.ts';
import type {Connection, Row} from './file/connection.ts';
import {fromJson} from './file/json.ts';

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
export function addUserRows(connection: Connection, rows: readonly UserRow[]): void {
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
export function* userRowsOf(connection: Connection, dates: Iterable<string>): Iterable<UserRow> {
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

export function clearUserRows(connection: Connection): void {
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
