import type {DatabaseSync} from 'node:sqlite';

/** A process group that an instance started. `mark` distinguishes it from a later group with the same id. */
type StoredProcess = {readonly group: number; readonly instance: string; readonly mark: string};

export type ProcessTable = {
	all(): StoredProcess[];
	add(group: number, instance: string, mark: string): void;
	remove(group: number, instance: string): void;
};

export function createProcessTable(database: DatabaseSync): ProcessTable {
	const all = database.prepare('SELECT * FROM processes');
	const add = database.prepare(
		'INSERT OR REPLACE INTO processes (group_id, instance, mark) VALUES (?, ?, ?)',
	);
	const remove = database.prepare('DELETE FROM processes WHERE group_id = ? AND instance = ?');
	return {
		all: () =>
			all.all().map(row => ({
				group: Number(row.group_id),
				instance: String(row.instance),
				mark: String(row.mark),
			})),
		add(group, instance, mark) {
			add.run(group, instance, mark);
		},
		remove(group, instance) {
			remove.run(group, instance);
		},
	};
}
