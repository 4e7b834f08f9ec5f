import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {openAccountFile} from './db/account-database.ts';
import type {Database, Machine} from './db/database.ts';
import {unlessStorageFails} from './db/file/storage-error.ts';
import {hookPositionSetting} from './db/hook-position.ts';
import {openDatabase} from './db/open-database.ts';
import {type Account, type KeptInput, localAccount, noAccount} from './domain/accounts/account.ts';
import {localProfile} from './domain/accounts/profile.ts';
import {ownProgram} from './domain/own-program.ts';
import {maxStoredEvents} from './domain/sessions/hook-event.ts';
import {claimOutbox, joinedSetting} from './join-accounts.ts';

export function machineFile(stateFolder: string): string {
	return join(stateFolder, 'accounts', 'machine.sqlite');
}

/**
 * Opens the machine's database. Database files of earlier releases, one per profile, are registered as
 * accounts of an unknown service, and their hook events are copied over.
 */
export function openMachine(stateFolder: string, folderProblem?: string): Machine {
	const machine = openDatabase({file: machineFile(stateFolder), folderProblem});
	// Without working storage there is nothing to migrate.
	if (machine.problem === undefined)
		unlessStorageFails(() => {
			registerOldFiles(machine, stateFolder);
			registerLostAccounts(machine, stateFolder);
		});
	return machine;
}

/**
 * Registers existing account files that a new machine database doesn't know as accounts of an unknown
 * service, and reports those that hold something. Until the user joins one to another account, no key opens it
 * and nothing in it is sent.
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
			if (database.settings.get(joinedSetting) !== undefined) return;
			accounts.put(lost);
			if (!isEmptyDatabase(database)) count++;
		});
	}
	if (count > 0) incidents.add({at: Date.now(), what: lostText(count)});
}

function lostText(count: number): string {
	const what = count === 1 ? '1 account with saved data is' : `${count} accounts with saved data are`;
	return `The list of accounts was lost: ${what} of an unknown service. ${ownProgram} accounts list shows them, accounts join merges one into another.`;
}

function registerOldFiles(machine: Machine, stateFolder: string): void {
	const {accounts} = machine;
	const files = readdirSync(stateFolder).filter(name => name.endsWith('.sqlite'));
	if (files.length === 0) return;
	const known = new Set(accounts.all().map(({file}) => file));
	for (const file of files) {
		if (known.has(file)) continue;
		const profile = file.slice(0, -'.sqlite'.length);
		const isLocal = profile === localProfile && !accounts.get(localAccount);
		using(openDatabase({file: join(stateFolder, file)}), old => {
			machine.events.together(() => {
				for (const event of old.events.recent(maxStoredEvents).toReversed()) machine.events.add(event);
				for (const signal of old.events.signals()) machine.events.putSignal(signal);
			});
			// The old database already has the sessions of these events.
			old.settings.put(hookPositionSetting, machine.events.newestPosition());
			if (isLocal) claimOutbox(old, localAccount, () => true);
		});
		const account = isLocal ? newAccount(localAccount, 'local') : newAccount(`old-${profile}`, 'unknown');
		accounts.put({...account, profile, file});
	}
}

/** Opens an account's own file for `use`. */
export function withDatabase<T>(
	machine: Machine,
	stateFolder: string,
	account: Pick<Account, 'id' | 'file' | 'createdAt'>,
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

export function isEmptyDatabase({sessions, computers, outbox, drafts}: Database): boolean {
	return (
		computers.all().length === 0 &&
		outbox.all().length === 0 &&
		drafts.sessions().length === 0 &&
		ownSessions(sessions) === 0
	);
}

/** Number of sessions of the account: those known only from hooks are the machine's. */
export function ownSessions(sessions: Database['sessions']): number {
	return sessions.all().filter(({origin}) => origin !== 'hook').length;
}

export function inputIn({drafts, outbox}: Pick<Database, 'drafts' | 'outbox'>): KeptInput {
	const unsent = outbox.all(['queued', 'sending', 'unconfirmed', 'failed']).length;
	return {unsent, drafts: drafts.sessions().length};
}

export function newAccount(id: string, kind: Account['kind']): Account {
	const now = Date.now();
	return {id, kind, file: join('accounts', id, 'quarterdeck.sqlite'), createdAt: now, usedAt: now};
}
