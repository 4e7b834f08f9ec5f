import type {UserRow} from '../domain/analytics.ts';
import {isRealDay} from '../domain/time.ts';
import {personMeasures} from '../domain/usage/people.ts';
import type {Connection, Row} from './connection.ts';
import {fromJson} from './json.ts';

// Rows of users by day: 20,000 users over 90 days are 1,800,000 of them, so a row is its numbers and two keys.

const numbers = [...personMeasures, 'autonomy_ratio'] as const;
const columns = numbers.join(', ');
const insert = `INSERT INTO analytics_users (day, person, traits, ${columns})
	VALUES (?, ?, ?, ${numbers.map(() => '?').join(', ')})
	ON CONFLICT (day, person) DO UPDATE SET traits = excluded.traits,
	${numbers.map(name => `${name} = excluded.${name}`).join(', ')}`;
const select = `SELECT person.user_id, person.email, traits.body AS traits, ${numbers.map(name => `row.${name}`).join(', ')}
	FROM analytics_users AS row
	JOIN analytics_people AS person ON person.key = row.person
	LEFT JOIN analytics_traits AS traits ON traits.key = row.traits
	WHERE row.day = ? ORDER BY person.user_id`;
const numeric: ReadonlySet<string> = new Set(numbers);
const apart: ReadonlySet<string> = new Set(['user_id', 'user_email', 'date']);

/** Keeps rows, the same user and day once, as they came last: inside a write only. A row without a day is left out. */
export function addUserRows(connection: Connection, rows: readonly UserRow[]): void {
	for (const row of rows) {
		if (row.date === undefined || !isRealDay(row.date)) continue;
		// Words and whatever the contract doesn't name: many rows share the same, which is kept once.
		const rest = Object.entries(row).filter(([key]) => !numeric.has(key) && !apart.has(key));
		const traits =
			rest.length === 0 ? null : keyOfTraits(connection, JSON.stringify(Object.fromEntries(rest)));
		const values = numbers.map(name => row[name] ?? null);
		connection.run(insert, dayNumber(row.date), keyOfPerson(connection, row), traits, ...values);
	}
}

/** The rows of one day, by user id. */
export function userRowsOf(connection: Connection, date: string): UserRow[] {
	return connection.all(select, dayNumber(date)).map(row => userRow(row, date));
}

export function clearUserRows(connection: Connection): void {
	for (const table of ['analytics_users', 'analytics_people', 'analytics_traits'])
		connection.run(`DELETE FROM ${table}`);
}

function userRow(row: Row, date: string): UserRow {
	const told = numbers.flatMap(name => (row[name] === null ? [] : [[name, row[name]]]));
	return {
		user_id: String(row.user_id),
		...(row.email !== null && {user_email: String(row.email)}),
		date,
		...Object.fromEntries(told),
		...fromJson<object>(row.traits),
	};
}

function keyOfPerson(connection: Connection, {user_id: id, user_email: email}: UserRow): number {
	const known = connection.get('SELECT key, email FROM analytics_people WHERE user_id = ?', id);
	if (!known) {
		connection.run('INSERT INTO analytics_people (user_id, email) VALUES (?, ?)', id, email ?? null);
		return connection.lastKey();
	}
	if (email !== undefined && known.email !== email)
		connection.run('UPDATE analytics_people SET email = ? WHERE key = ?', email, known.key as number);
	return known.key as number;
}

function keyOfTraits(connection: Connection, body: string): number {
	const known = connection.get('SELECT key FROM analytics_traits WHERE body = ?', body);
	if (known) return known.key as number;
	connection.run('INSERT INTO analytics_traits (body) VALUES (?)', body);
	return connection.lastKey();
}

/** Days since 1970: an eighth of the room its letters take. */
function dayNumber(date: string): number {
	return Date.parse(date) / 86_400_000;
}
