import {inputIn, isEmptyDatabase, ownSessions, withDatabase} from './account-files.ts';
import type {AccountChoice} from './accounts.ts';
import type {Database, Machine} from './db/database.ts';
import type {Account, Kept, KeptElsewhere, KeptInput} from './domain/accounts/account.ts';

/** What the accounts that this profile opened at an address hold; undefined if nothing. */
export function keptAt(
	machine: Machine,
	{profile, stateFolder}: Pick<AccountChoice, 'profile' | 'stateFolder'>,
	address: string,
): Kept | undefined {
	const kept = {unsent: 0, drafts: 0, sessions: 0};
	for (const account of machine.accounts.all()) {
		if (account.joinedTo !== undefined || account.profile !== profile || account.address !== address)
			continue;
		withDatabase(machine, stateFolder, account, database => {
			const {unsent, drafts} = inputIn(database);
			kept.unsent += unsent;
			kept.drafts += drafts;
			kept.sessions += ownSessions(database.sessions);
		});
	}
	return kept.unsent + kept.drafts + kept.sessions > 0 ? kept : undefined;
}

/** The account `before`, unless it is empty, and what the user wrote there, if another key now opens another account. */
export function keptBefore(
	machine: Machine,
	{stateFolder}: AccountChoice,
	{id, address}: Account,
	before: string,
): (KeptInput & {readonly account: Account}) | undefined {
	const left = machine.accounts.get(before);
	if (!left || left.id === id || left.address !== address || left.joinedTo !== undefined) return undefined;
	return withDatabase(machine, stateFolder, left, database =>
		isEmptyDatabase(database) ? undefined : {...inputIn(database), account: left},
	);
}

/** Where an empty account's profile has sessions, unsent messages or drafts: at the last address that has any, also its own. */
export function keptElsewhere(
	machine: Machine,
	choice: Pick<AccountChoice, 'profile' | 'stateFolder'>,
	{address: own, kind}: Account,
	database: Database,
): KeptElsewhere | undefined {
	if (kind !== 'remote' || !isEmptyDatabase(database)) return undefined;
	for (const address of new Set(machine.accounts.all().flatMap(account => account.address ?? []))) {
		const kept = keptAt(machine, choice, address);
		if (kept) return {...kept, host: new URL(address).host, isOtherKey: address === own};
	}
	return undefined;
}
