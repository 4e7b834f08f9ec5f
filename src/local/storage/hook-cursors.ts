import type {DatabaseSync} from 'node:sqlite';

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
