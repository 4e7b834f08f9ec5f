import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/file/storage-error.ts';
import {openAccountFile, openDatabase} from './db/open-database.ts';
import {type Account, type Kept, localAccount, noAccount} from './domain/accounts/account.ts';
import {ownProgram} from './domain/own-program.ts';

export function machineFile(stateFolder: string): string {
	return join(stateFolder, 'accounts', 'machine.sqlite');
}

export function openMachine(stateFolder: string, folderProblem?: string): Machine {
	const machine = openDatabase({file: machineFile(stateFolder), folderProblem});
	if (machine.problem === undefined) unlessStorageFails(() => registerLostAccounts(machine, stateFolder));
	return machine;
}

/**
 * Registers existing account files that a new machine database doesn't know as accounts of an unknown
 * service, and reports those that hold something. No key opens one, and nothing in it is sent, until the user says so.
 */
function registerLostAccounts(machine: Machine, stateFolder: string): void {
	const {accounts, incidents} = machine;
	if (accounts.all().length > 0) return;
	let count = 0;
	for (const id of readdirSync(join(stateFolder, 'accounts'))) {
		const lost = newAccount(id, 'unknown');
		// These two have fixed names.
		if (id === localAccount || id === noAccount || !existsSync(join(stateFolder, lost.file))) continue;
		using(openDatabase({file: join(stateFolder, lost.file)}), database => {
			accounts.put(lost);
			if (!isEmptyDatabase(database)) count++;
		});
	}
	if (count > 0) incidents.add({at: Date.now(), what: lostText(count)});
}

function lostText(count: number): string {
	const what = count === 1 ? '1 account with saved data is' : `${count} accounts with saved data are`;
	return `The list of accounts was lost: ${what} of an unknown service. ${ownProgram} accounts list shows them, accounts use opens one with the key.`;
}

export function withDatabase<T>(
	machine: Machine,
	stateFolder: string,
	account: Account,
	use: (database: Database) => T,
): T {
	return using(openAccountFile(machine, stateFolder, account), use);
}

function using<T>(database: Database, use: (database: Database) => T): T {
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

/** What the accounts that a profile opened last at an address hold; undefined if nothing. */
export function keptAt(
	machine: Machine,
	{profile, stateFolder}: {readonly profile: string; readonly stateFolder: string},
	address: string,
): Kept | undefined {
	const all = machine.accounts
		.all()
		.filter(account => account.profile === profile && account.address === address)
		.map(account => withDatabase(machine, stateFolder, account, keptIn));
	const sum = (what: keyof Kept) => all.reduce((total, kept) => total + kept[what], 0);
	const kept = {unsent: sum('unsent'), drafts: sum('drafts'), sessions: sum('sessions')};
	return kept.unsent + kept.drafts + kept.sessions > 0 ? kept : undefined;
}

export function newAccount(id: string, kind: Account['kind']): Account {
	const now = Date.now();
	return {id, kind, file: join('accounts', id, 'quarterdeck.sqlite'), createdAt: now, usedAt: now};
}
