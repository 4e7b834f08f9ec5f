import {EventEmitter, once} from 'node:events';
import type {DatabaseSync} from 'node:sqlite';
import {type Row, rowReader} from './row.ts';

/** That something about a session or computer changed. `added` comes once, when the session is created. */
export type StoredChange = {
	readonly seq: number;
	readonly kind: 'added' | 'session' | 'computer';
	readonly id: string;
};

/** What is noted when a row is inserted or updated: the kind, and the column with the id. */
const noted = {
	sessions: ['session', 'id'],
	messages: ['session', 'session_id'],
	machine_sessions: ['session', 'id'],
	computers: ['computer', 'id'],
	steps: ['computer', 'computer_id'],
} as const;

// Triggers of this connection alone: the service is the only one that writes.
const triggers = Object.entries(noted)
	.flatMap(([table, [kind, id]]) =>
		['INSERT', 'UPDATE'].map(
			event => `CREATE TEMP TRIGGER ${table}_${event} AFTER ${event} ON ${table} BEGIN
				INSERT OR REPLACE INTO changes (kind, id) VALUES ('${kind}', NEW.${id});
				SELECT announce_change();
			END;`,
		),
	)
	.join('\n');

const addedTriggers = `
CREATE TEMP TRIGGER session_added AFTER INSERT ON sessions WHEN NOT NEW.is_install BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('added', NEW.id);
END;
CREATE TEMP TRIGGER machine_session_added AFTER INSERT ON machine_sessions BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('added', NEW.id);
END;
`;

/** The order in which sessions and computers last changed. A cursor is the `seq` of a change. */
export function createChangeTable(database: DatabaseSync) {
	const changed = new EventEmitter().setMaxListeners(0);
	database.function('announce_change', () => {
		changed.emit('change');
		return null;
	});
	database.exec(triggers + addedTriggers);
	const select = database.prepare('SELECT seq, kind, id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?');
	const last = database.prepare('SELECT coalesce(max(seq), 0) AS seq FROM changes');
	const toChange = rowReader<StoredChange>();
	return {
		after: (seq: number, limit: number): StoredChange[] =>
			select.all(seq, limit).map(row => toChange(row as Row)),
		last: () => Number(last.get()?.seq),
		/** Resolves at the next change, or when `signal` aborts. */
		next: async (signal: AbortSignal): Promise<void> => {
			await once(changed, 'change', {signal}).catch(() => {});
		},
	};
}
