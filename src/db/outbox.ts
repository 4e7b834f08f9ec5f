import {isOver, type Wait} from '../domain/backoff.ts';
import type {DeliveryState, OutboxItem} from '../domain/messages/delivery.ts';
import {type Connection, fromJson, type Row} from './file/connection.ts';
import {settingsTable} from './settings.ts';

const columns = 'id, session_id, state, body, text, images, files';
const items = `SELECT ${columns} FROM outbox JOIN outbox_contents USING (id)`;

/** A lease that ends later than any taken now counts as expired: the clock was set back since. */
const leaseIsLive = (table: string) => `(${table}.lease_until > ? AND ${table}.lease_until <= ?)`;
/** Tolerance for routine small clock corrections, ms. */
const clockTolerance = 1_000;
const waitSetting = 'outbox.serviceWait';

type Contents = Pick<OutboxItem, 'text' | 'images' | 'files'>;

/** Every write is synced to disk before it returns. Rows keep their insertion order. */
export function outboxTable(connection: Connection) {
	const settings = settingsTable(connection);
	return {
		/** Oldest first; filtered by state if `states` is given. */
		all: (states?: readonly DeliveryState[]): OutboxItem[] =>
			(states
				? connection.all(
						`${items} WHERE state IN (SELECT value FROM json_each(?)) ORDER BY sequence`,
						JSON.stringify(states),
					)
				: connection.all(`${items} ORDER BY sequence`)
			).map(toItem),
		/** Ids and states of all rows, oldest first, without their contents. */
		states: () =>
			connection.all('SELECT id, session_id, state FROM outbox ORDER BY sequence').map(row => ({
				id: String(row.id),
				sessionId: String(row.session_id),
				state: String(row.state) as DeliveryState,
			})),
		/** Oldest first, in any state. */
		ofSession: (sessionId: string): OutboxItem[] =>
			connection.all(`${items} WHERE session_id = ? ORDER BY sequence`, sessionId).map(toItem),
		get(id: string): OutboxItem | undefined {
			const row = connection.get(`${items} WHERE id = ?`, id);
			return row && toItem(row);
		},
		put(item: OutboxItem): void {
			const {id, sessionId, state, text, images, files, ...body} = item;
			connection.write('full', () => {
				const row = {id, session_id: sessionId, state, body: JSON.stringify(body)};
				connection.upsert('outbox', ['id'], row);
				connection.run(
					'INSERT OR IGNORE INTO outbox_contents (id, text, images, files) VALUES (?, ?, ?, ?)',
					id,
					text,
					JSON.stringify(images),
					JSON.stringify(files),
				);
			});
		},
		remove(id: string): void {
			connection.write('full', () => {
				connection.run('DELETE FROM outbox WHERE id = ?', id);
				connection.run('DELETE FROM outbox_contents WHERE id = ?', id);
			});
		},
		/**
		 * Takes the exclusive right to send one row until `until` (Unix ms), or extends it. False if another process has
		 * it, or any process has that right for another row of the session: messages of a session are sent one at a time.
		 */
		lease: (id: string, owner: string, until: number): boolean =>
			connection.write('full', () => {
				const now = connection.now();
				const changed = connection.run(
					`UPDATE outbox SET lease_owner = ?, lease_until = ? WHERE id = ?
					AND (lease_owner IS NULL OR lease_owner = ? OR NOT ${leaseIsLive('outbox')})
					AND NOT EXISTS (SELECT 1 FROM outbox AS other WHERE other.session_id = outbox.session_id
						AND other.id <> outbox.id AND other.lease_owner IS NOT NULL AND ${leaseIsLive('other')})`,
					owner,
					until,
					id,
					owner,
					now,
					until + clockTolerance,
					now,
					until + clockTolerance,
				);
				return changed > 0;
			}),
		/** Whether another owner is sending a message of the session. `until` as for a lease taken now. */
		isLeasedElsewhere(sessionId: string, owner: string, until: number): boolean {
			const row = connection.get(
				`SELECT 1 FROM outbox WHERE session_id = ? AND lease_owner <> ? AND ${leaseIsLive('outbox')}`,
				sessionId,
				owner,
				connection.now(),
				until + clockTolerance,
			);
			return row !== undefined;
		},
		/** The wait the service imposed on any process, while it lasts. */
		serviceWait(): Wait | undefined {
			const wait = settings.get(waitSetting) as Wait | null | undefined;
			return wait && !isOver(wait, connection.now()) ? wait : undefined;
		},
		/** Saves a wait the service imposed, unless a longer one is in effect. */
		waitForService(wait: Wait): void {
			connection.write('normal', () => {
				const running = settings.get(waitSetting) as Wait | null | undefined;
				const isLonger = running && !isOver(running, connection.now()) && running.until >= wait.until;
				if (!isLonger) settings.put(waitSetting, wait);
			});
		},
		release(id: string, owner: string): void {
			connection.write('full', () =>
				connection.run(
					'UPDATE outbox SET lease_owner = NULL, lease_until = 0 WHERE id = ? AND lease_owner = ?',
					id,
					owner,
				),
			);
		},
		/** Runs several of these calls as one transaction: no other process reads or writes in between. */
		exclusively: <T>(run: () => T): T => connection.write('full', run),
	};
}

function toItem(row: Row): OutboxItem {
	const body = fromJson<Omit<OutboxItem, 'id' | 'sessionId' | 'state' | keyof Contents>>(row.body);
	return {
		createdAt: 0,
		tries: 0,
		...body,
		id: String(row.id),
		sessionId: String(row.session_id),
		state: row.state as DeliveryState,
		text: String(row.text),
		images: fromJson<OutboxItem['images']>(row.images) ?? [],
		files: fromJson<OutboxItem['files']>(row.files) ?? [],
	};
}
