import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';
import {rowInserter, rowReader} from './row.ts';

/** A service started over the folder. `mark` distinguishes its process from a later one with the same pid. */
type StoredService = {readonly instance: string; readonly pid: number; readonly mark: string};

export function createServiceTable(database: DatabaseSync) {
	const all = database.prepare('SELECT * FROM services');
	const remove = database.prepare('DELETE FROM services WHERE instance = ?');
	return {
		all: () => all.all().map(rowReader<StoredService>()),
		add: rowInserter<StoredService>(database, 'services'),
		remove: (instance: string) => void remove.run(instance),
	};
}

/** The local organization and its only user, created at the first start. `createdAt` is Unix ms. */
export type Identity = {readonly userId: string; readonly orgId: string; readonly createdAt: number};

export function createIdentityTable(database: DatabaseSync) {
	const add = database.prepare('INSERT INTO identity (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
	add.run('user_id', randomUUID());
	add.run('org_id', randomUUID());
	add.run('created_at', String(Date.now()));
	const read = database.prepare('SELECT value FROM identity WHERE name = ?');
	const stored = (name: string) => String(read.get(name)?.value);
	const identity: Identity = {
		userId: stored('user_id'),
		orgId: stored('org_id'),
		createdAt: Number(stored('created_at')),
	};
	return {get: () => identity};
}

/** A process group that an instance started. `mark` distinguishes it from a later group with the same id. */
type StoredProcess = {readonly groupId: number; readonly instance: string; readonly mark: string};

export function createProcessTable(database: DatabaseSync) {
	const all = database.prepare('SELECT * FROM processes');
	const remove = database.prepare('DELETE FROM processes WHERE group_id = ? AND instance = ?');
	const replaceMark = 'ON CONFLICT DO UPDATE SET mark = excluded.mark';
	return {
		all: () => all.all().map(rowReader<StoredProcess>()),
		add: rowInserter<StoredProcess>(database, 'processes', replaceMark),
		remove: (groupId: number, instance: string) => void remove.run(groupId, instance),
	};
}
