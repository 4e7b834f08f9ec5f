import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';

/** The local organization and its only user, created at the first start. `createdAt` is Unix ms. */
type Identity = {readonly userId: string; readonly orgId: string; readonly createdAt: number};

export function createIdentityTable(database: DatabaseSync) {
	const add = database.prepare('INSERT INTO identity (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
	add.run('user_id', randomUUID());
	add.run('org_id', randomUUID());
	add.run('created_at', String(Date.now()));
	const read = database.prepare('SELECT value FROM identity WHERE name = ?');
	const setProcess = database.prepare(
		`INSERT INTO identity (name, value) VALUES ('process', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
	);
	const stored = (name: string) => String(read.get(name)?.value);
	const identity: Identity = {
		userId: stored('user_id'),
		orgId: stored('org_id'),
		createdAt: Number(stored('created_at')),
	};
	return {
		get: () => identity,
		/** The process of the service: that of a killed one stays. */
		setProcess: (pid: number) => void setProcess.run(`${pid}`),
	};
}
