import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {openMachine} from '../../src/account-files.ts';
import {findAccount} from '../../src/accounts.ts';
import {Secret} from '../../src/config/secret.ts';
import type {Account} from '../../src/domain/accounts/account.ts';

/** The accounts of a state folder that have a file. */
export function accountsIn(stateFolder: string): Account[] {
	const machine = openMachine(stateFolder);
	try {
		return machine.accounts.all().filter(({file}) => existsSync(join(stateFolder, file)));
	} finally {
		machine.close();
	}
}

/** The database of the one account of a state folder. */
export function onlyAccountFile(stateFolder: string): string {
	const [account, ...more] = accountsIn(stateFolder);
	if (!account || more.length > 0) throw new Error(`${more.length + (account ? 1 : 0)} accounts, not one`);
	return join(stateFolder, account.file);
}

/** The database that a program with this address and key opens; it is made known first. */
export async function accountFileFor(
	stateFolder: string,
	{url, key, profile = 'default'}: {url: string; key: string; profile?: string},
): Promise<string> {
	const machine = openMachine(stateFolder);
	try {
		const service = {baseUrl: url, appUrl: url, key: new Secret(key), keyFrom: 'environment'} as const;
		const {account} = findAccount(machine, {profile, stateFolder}, service);
		return join(stateFolder, account.file);
	} finally {
		machine.close();
	}
}
