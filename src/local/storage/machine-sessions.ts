import type {DatabaseSync} from 'node:sqlite';

/** Which computer's machine has a session. An id is of the machine that named it first. */
export function createMachineSessionTable(database: DatabaseSync) {
	const insert = database.prepare(
		`INSERT INTO machine_sessions (id, computer_id) SELECT ?1, ?2
		WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?1) ON CONFLICT DO NOTHING`,
	);
	const select = database.prepare('SELECT computer_id FROM machine_sessions WHERE id = ?');
	const remove = database.prepare('DELETE FROM machine_sessions WHERE computer_id = ?');
	const ownerOf = (id: string): string | undefined => {
		const row = select.get(id);
		return row && String(row.computer_id);
	};
	return {
		ownerOf,
		/** Whether the session is that computer's: it is new, or was before. */
		claim(id: string, computerId: string): boolean {
			insert.run(id, computerId);
			return ownerOf(id) === computerId;
		},
		forget: (computerId: string) => void remove.run(computerId),
	};
}
