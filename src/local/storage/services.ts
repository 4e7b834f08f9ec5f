import type {DatabaseSync} from 'node:sqlite';

/** A service started over the folder. `mark` distinguishes its process from a later one with the same pid. */
type StoredService = {readonly instance: string; readonly pid: number; readonly mark: string};

export type ServiceTable = {
	all(): StoredService[];
	add(instance: string, pid: number, mark: string): void;
	remove(instance: string): void;
};

export function createServiceTable(database: DatabaseSync): ServiceTable {
	const all = database.prepare('SELECT * FROM services');
	const add = database.prepare('INSERT INTO services (instance, pid, mark) VALUES (?, ?, ?)');
	const remove = database.prepare('DELETE FROM services WHERE instance = ?');
	return {
		all: () =>
			all.all().map(row => ({
				instance: String(row.instance),
				pid: Number(row.pid),
				mark: String(row.mark),
			})),
		add(instance, pid, mark) {
			add.run(instance, pid, mark);
		},
		remove(instance) {
			remove.run(instance);
		},
	};
}
