import {isOfComputer} from '../domain/known.ts';
import {
	clockSlack,
	type HookEvent,
	maxStoredEvents,
	type Signal,
	signalKey,
} from '../domain/sessions/signal.ts';
import type {Database} from './database.ts';
import {type Connection, fromJson} from './file/connection.ts';

const pruneEvery = 500;

/** The time by its sender's own clock tells an event apart: one of another computer may come again with another `ts`. */
function sentAt({ts, computer}: HookEvent): number {
	return computer?.ts ?? ts;
}

export function eventsTable(connection: Connection) {
	return {
		/** False if this event is already stored. Only the last `maxStoredEvents` are kept. */
		add: (event: HookEvent) =>
			connection.write('normal', () => {
				const added = connection.run(
					'INSERT OR IGNORE INTO events (ts, id, body) VALUES (?, ?, ?)',
					sentAt(event),
					event.id,
					JSON.stringify(event),
				);
				if (added === 0) return false;
				const sequence = connection.lastKey();
				if (sequence % pruneEvery === 0) {
					connection.run('DELETE FROM events WHERE sequence <= ?', sequence - maxStoredEvents);
				}
				return true;
			}),
		/** An event as it was first stored. */
		stored(event: HookEvent): HookEvent | undefined {
			const row = connection.get('SELECT body FROM events WHERE ts = ? AND id = ?', sentAt(event), event.id);
			return fromJson<HookEvent>(row?.body);
		},
		/** The newest events, or those stored before the event `before`; newest first. */
		recent(limit: number, before?: HookEvent) {
			const rows =
				before === undefined
					? connection.all('SELECT body FROM events ORDER BY sequence DESC LIMIT ?', limit)
					: connection.all(
							'SELECT body FROM events WHERE sequence < (SELECT sequence FROM events WHERE ts = ? AND id = ?) ORDER BY sequence DESC LIMIT ?',
							sentAt(before),
							before.id,
							limit,
						);
			return rows.flatMap(row => fromJson<HookEvent>(row.body) ?? []);
		},
		count: () => Number(connection.get('SELECT count(*) AS count FROM events')?.count ?? 0),
		/** Position of the event stored last by any program; 0 without events. Positions increase. */
		newestPosition: () =>
			Number(connection.get('SELECT max(sequence) AS position FROM events')?.position ?? 0),
		/** Up to `limit` events stored after `position` by any program, in order, and the last one's position. */
		since(position: number, limit: number) {
			const rows = connection.all(
				'SELECT sequence, body FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
				position,
				limit,
			);
			return {
				events: rows.flatMap(row => fromJson<HookEvent>(row.body) ?? []),
				position: Number(rows.at(-1)?.sequence ?? position),
			};
		},
		/** Sessions with events after `position`, by signal key. */
		sessionsSince: (position: number) =>
			connection
				.all(
					`SELECT DISTINCT body ->> '$.client' AS client, body ->> '$.data.session_id' AS session_id
					FROM events WHERE sequence > ? AND json_valid(body)`,
					position,
				)
				.map(row => signalKey(String(row.client ?? ''), String(row.session_id ?? ''))),
		signals: () =>
			connection.all('SELECT body FROM signals').flatMap(row => fromJson<Signal>(row.body) ?? []),
		/** Whether hooks on this machine told of a session. */
		hasOwnSignal: (sessionId: string): boolean =>
			connection.get(
				"SELECT 1 FROM signals WHERE session_id = ? AND body ->> '$.computer' IS NULL LIMIT 1",
				sessionId,
			) !== undefined,
		/** Saves a signal, unless the session has a newer one. */
		putSignal(signal: Signal): void {
			// Programs receive events in different orders: a program's older signal must not overwrite a newer one,
			// unless the stored one lies in the future because the clock was set back.
			connection.write('normal', () =>
				connection.run(
					`INSERT INTO signals (client, session_id, body) VALUES (?, ?, ?) ON CONFLICT (client, session_id)
					DO UPDATE SET body = excluded.body
					WHERE body ->> 'lastEventAt' <= excluded.body ->> 'lastEventAt' OR body ->> 'lastEventAt' > ?`,
					signal.client,
					signal.sessionId,
					JSON.stringify(signal),
					connection.now() + clockSlack,
				),
			);
		},
		/** Saves an event and its effects in one transaction. */
		together: <T>(run: () => T): T => connection.write('normal', run),
	};
}

/** Setting of an account's database: position of the last of the machine's hook events it has processed. */
export const hookPositionSetting = 'hooks.place';

export function storedHookPosition({settings}: Pick<Database, 'settings'>): number | undefined {
	const stored = settings.get(hookPositionSetting);
	return typeof stored === 'number' ? stored : undefined;
}

/** Adds the sessions whose hook events reached this machine while the account wasn't open. */
export function addHookSessions(account: Database, machineEvents: Database['events'], now: number): void {
	const newest = machineEvents.newestPosition();
	const position = storedHookPosition(account) ?? 0;
	if (position === newest) return;
	// A recreated file restarts its positions, so read it from the beginning.
	const changedSessions = new Set(machineEvents.sessionsSince(position < newest ? position : 0));
	account.events.together(() => {
		for (const signal of machineEvents.signals())
			if (changedSessions.has(signalKey(signal.client, signal.sessionId))) addSession(account, signal, now);
		account.settings.put(hookPositionSetting, newest);
	});
}

function addSession({sessions}: Database, signal: Signal, now: number): void {
	const before = sessions.get(signal.sessionId);
	const {computer} = signal;
	if (!isOfComputer(before, computer)) return;
	sessions.put({
		...(before ?? {id: signal.sessionId, origin: 'hook', addedAt: now}),
		computerId: computer?.id ?? before?.computerId,
		cwd: signal.cwd ?? before?.cwd,
	});
}
