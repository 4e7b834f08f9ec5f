import {EventEmitter, once} from 'node:events';
import type {DatabaseSync} from 'node:sqlite';
import {type Row, rowReader} from './row.ts';

/** That something about a session or computer changed. `added` comes once, when the session is created. */
export type StoredChange = {
	readonly seq: number;
	readonly kind: 'added' | 'session' | 'computer';
	readonly id: string;
};

// Of this connection alone: the service is the only one that writes.
const triggers = `
CREATE TEMP TRIGGER session_added AFTER INSERT ON sessions BEGIN
	INSERT OR REPLACE INTO changes (kind, id) SELECT 'added', NEW.id WHERE NOT NEW.is_install;
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('session', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER session_changed AFTER UPDATE ON sessions BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('session', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER message_added AFTER INSERT ON messages BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('session', NEW.session_id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER message_changed AFTER UPDATE ON messages BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('session', NEW.session_id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER machine_session_added AFTER INSERT ON machine_sessions BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('added', NEW.id), ('session', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER machine_session_changed AFTER UPDATE ON machine_sessions BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('session', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER computer_added AFTER INSERT ON computers BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('computer', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER computer_changed AFTER UPDATE ON computers BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('computer', NEW.id);
	SELECT announce_change();
END;
CREATE TEMP TRIGGER step_changed AFTER UPDATE ON steps BEGIN
	INSERT OR REPLACE INTO changes (kind, id) VALUES ('computer', NEW.computer_id);
	SELECT announce_change();
END;
`;

/** The order in which sessions and computers last changed. A cursor is the `seq` of a change. */
export function createChangeTable(database: DatabaseSync) {
	const changed = new EventEmitter().setMaxListeners(0);
	database.function('announce_change', () => {
		changed.emit('change');
		return null;
	});
	database.exec(triggers);
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
