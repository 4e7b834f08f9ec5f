import type {KnownComputer, KnownSession} from '../domain/known.ts';
import {type Connection, fromJson} from './file/connection.ts';
import {removeListing} from './messages/listings.ts';
import type {MessageWatch} from './messages/message-watch.ts';
import type {settingsTable} from './settings.ts';

/** The known computers or sessions as stored, with those that other programs have written or removed. */
function knownRows<Known extends {readonly id: string; readonly addedAt: number}>(
	connection: Connection,
	table: 'computers' | 'sessions',
) {
	/** Rows as last written or read here, by id. */
	let bodies = new Map<string, string>();
	const bodyOf = (id: string) => connection.get(`SELECT body FROM ${table} WHERE id = ?`, id)?.body;
	const allOf = (rows: Iterable<string>) => [...rows].flatMap(body => fromJson<Known>(body) ?? []);
	function readAll(): Map<string, string> {
		const rows = connection.all(`SELECT id, body FROM ${table} ORDER BY added_at, id`);
		return new Map(rows.map(({id, body}) => [String(id), String(body)]));
	}
	function load(): Known[] {
		bodies = readAll();
		return allOf(bodies.values());
	}
	return {
		all: (): Known[] => allOf(readAll().values()),
		get: (id: string) => fromJson<Known>(bodyOf(id)),
		/** All, as a start for `changedElsewhere`. */
		load,
		/** What another program has changed since the last call. */
		changedElsewhere() {
			const before = bodies;
			load();
			const changed = [...bodies].filter(([id, body]) => body !== before.get(id));
			return {
				changed: allOf(changed.map(([, body]) => body)),
				removed: [...before.keys()].filter(id => !bodies.has(id)),
			};
		},
		/** One, if another program has written it since it was last read here. */
		ifChangedElsewhere(id: string): Known | undefined {
			const body = bodyOf(id);
			if (typeof body !== 'string' || body === bodies.get(id)) return undefined;
			bodies.set(id, body);
			return fromJson<Known>(body);
		},
		/** Saves some in one transaction, except those that another program has removed. */
		put(...some: readonly Known[]): void {
			connection.write('normal', () => {
				for (const known of some) {
					const row = {id: known.id, added_at: known.addedAt, body: JSON.stringify(known)};
					if (bodies.has(row.id) && bodyOf(row.id) === undefined) continue;
					connection.upsert(table, ['id'], row);
					bodies.set(row.id, row.body);
				}
			});
		},
		/** Removes one, and `more` in the same transaction. */
		remove(id: string, more: () => void): void {
			connection.write('normal', () => {
				connection.run(`DELETE FROM ${table} WHERE id = ?`, id);
				more();
			});
			bodies.delete(id);
		},
	};
}

const forgottenSetting = 'computers.forgotten';

export function computersTable(connection: Connection, settings: ReturnType<typeof settingsTable>) {
	const rows = knownRows<KnownComputer>(connection, 'computers');
	/** Ids of all computers ever removed: discovery doesn't add them back. */
	const forgotten = (): readonly string[] => {
		const ids = settings.get(forgottenSetting);
		return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
	};
	return {
		...rows,
		remove(id: string): void {
			rows.remove(id, () => settings.put(forgottenSetting, [...new Set([...forgotten(), id])]));
		},
		forgotten,
	};
}

export function sessionsTable(connection: Connection, watch: MessageWatch) {
	const rows = knownRows<KnownSession>(connection, 'sessions');
	return {
		...rows,
		/** Also deletes the cached messages. The draft and the outbox rows stay, since they are the user's. */
		remove(id: string): void {
			rows.remove(id, () => removeListing(connection, id));
			watch.publish(id, 'all');
		},
	};
}
