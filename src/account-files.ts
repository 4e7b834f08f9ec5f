import {join} from 'node:path';
import type {Database, Machine} from './db/database.ts';
import {openAccountFile, openDatabase} from './db/open-database.ts';
import type {Account, Kept} from './domain/accounts/account.ts';

export function machineFile(stateFolder: string): string {
	return join(stateFolder, 'accounts', 'machine.sqlite');
}

export function openMachine(stateFolder: string, folderProblem?: string, onlyReads?: boolean): Machine {
	return openDatabase({file: machineFile(stateFolder), folderProblem, onlyReads});
}

export function withDatabase<T>(
	machine: Machine,
	stateFolder: string,
	account: Account,
	use: (database: Database) => T,
): T {
	const database = openAccountFile(machine, stateFolder, account);
	try {
		return use(database);
	} finally {
		database.close();
	}
}

export function isEmptyDatabase(database: Database): boolean {
	const {drafts, sessions} = keptIn(database);
	return (
		drafts + sessions === 0 && database.computers.all().length === 0 && database.outbox.all().length === 0
	);
}

/** What only this account has. Sessions known only from hooks are the machine's. */
export function keptIn({drafts, outbox, sessions}: Database): Kept {
	return {
		unsent: outbox.all(['queued', 'sending', 'unconfirmed', 'failed']).length,
		drafts: drafts.sessions().length,
		sessions: sessions.all().filter(({origin}) => origin !== 'hook').length,
	};
}

export function newAccount(id: string, kind: Account['kind']): Account {
	const now = Date.now();
	return {id, kind, file: join('accounts', id, 'quarterdeck.sqlite'), createdAt: now, usedAt: now};
}
