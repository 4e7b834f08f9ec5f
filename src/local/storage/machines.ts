import type {DatabaseSync} from 'node:sqlite';
import type {Session} from '../../domain/sessions/session.ts';

/** Most sessions of one machine that are known here. */
const maxSessions = 10_000;

/** Sessions that are on machines. An id is of the computer whose machine named it first. */
export function createMachineSessionTable(database: DatabaseSync) {
	const insert = database.prepare(
		`INSERT INTO machine_sessions (id, computer_id) SELECT ?1, ?2
		WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?1)
		AND (SELECT count(*) FROM machine_sessions WHERE computer_id = ?2) < ${maxSessions} ON CONFLICT DO NOTHING`,
	);
	const select = database.prepare('SELECT computer_id, session FROM machine_sessions WHERE id = ?');
	const update = database.prepare(
		'UPDATE machine_sessions SET session = ?2 WHERE id = ?1 AND session IS NOT ?2',
	);
	const remove = database.prepare('DELETE FROM machine_sessions WHERE computer_id = ?');
	const ownerOf = (id: string): string | undefined => {
		const row = select.get(id);
		return row && String(row.computer_id);
	};
	return {
		ownerOf,
		/** What its machine last said about it, if only that it has it. */
		get(id: string): Session | undefined {
			const row = select.get(id);
			if (!row) return undefined;
			const {computer_id: computerId, session} = row;
			return session === null ? {sessionId: id, computerId: String(computerId)} : JSON.parse(String(session));
		},
		/** Whether the session is that computer's: it is new, or was before. */
		claim(id: string, computerId: string): boolean {
			const owner = ownerOf(id);
			if (owner !== undefined) return owner === computerId;
			return insert.run(id, computerId).changes > 0;
		},
		/** Records what the machine says about a session of its. */
		record: (session: Session) => void update.run(session.sessionId, JSON.stringify(session)),
		forget: (computerId: string) => void remove.run(computerId),
	};
}

/** How far the hook events of each machine have been handed to the programs here. */
export function createHookCursorTable(database: DatabaseSync) {
	const select = database.prepare('SELECT cursor FROM hook_cursors WHERE computer_id = ?');
	const put = database.prepare('INSERT OR REPLACE INTO hook_cursors (computer_id, cursor) VALUES (?, ?)');
	const remove = database.prepare('DELETE FROM hook_cursors WHERE computer_id = ?');
	return {
		get: (computerId: string) => Number(select.get(computerId)?.cursor ?? 0),
		put: (computerId: string, cursor: number) => void put.run(computerId, cursor),
		forget: (computerId: string) => void remove.run(computerId),
	};
}
