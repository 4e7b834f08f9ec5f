import type {SQLOutputValue} from 'node:sqlite';
import {randomId} from '../../hooks/random-id.ts';
import type {Account} from '../domain/accounts/account.ts';
import {type Connection, fromJson} from './file/connection.ts';
import {settingsTable} from './settings.ts';

export type AccountsTable = ReturnType<typeof accountsTable>;

const minute = 60_000;

const saltSetting = 'accounts.salt';

/** The accounts on this machine, and the keys and profiles that open them. Stored only in the machine's database. */
export function accountsTable(connection: Connection) {
	const settings = settingsTable(connection);
	const toAccount = (body: SQLOutputValue | undefined) => fromJson<Account>(body);
	/** Runs several of these calls as one transaction: no other process reads or writes in between. */
	const exclusively = <T>(run: () => T) => connection.write('full', run);

	return {
		/** All accounts, most recently used first. */
		all: (): Account[] =>
			connection
				.all('SELECT body FROM accounts')
				.flatMap(row => toAccount(row.body) ?? [])
				.sort((a, b) => b.usedAt - a.usedAt || (a.id < b.id ? -1 : 1)),
		get: (id: string): Account | undefined =>
			toAccount(connection.get('SELECT body FROM accounts WHERE id = ?', id)?.body),
		/** Adds an account, or replaces it. Call it with what was read in the same transaction, if not with a new one. */
		put(account: Account): void {
			const row = {id: account.id, body: JSON.stringify(account)};
			exclusively(() => connection.upsert('accounts', ['id'], row));
		},
		/** Records that a profile opens the account, at most once a minute. */
		recordUse({id, ...known}: Account, profile: string, now: number): void {
			if (known.profile === profile && now - known.usedAt < minute) return;
			// Before the first frame: not worth waiting for the disk. Another program may have forgotten it meanwhile.
			connection.write('normal', () =>
				connection.run(
					"UPDATE accounts SET body = json_set(body, '$.profile', ?, '$.usedAt', ?) WHERE id = ?",
					profile,
					now,
					id,
				),
			);
		},
		remove(id: string): void {
			exclusively(() => {
				connection.run('DELETE FROM account_openers WHERE account_id = ?', id);
				connection.run('DELETE FROM accounts WHERE id = ?', id);
			});
		},
		/** The account that a key opens, by its fingerprint, or a profile at an address, by both. */
		openedBy: (opener: string): Account | undefined =>
			toAccount(
				connection.get(
					'SELECT body FROM accounts JOIN account_openers ON account_id = id WHERE opener = ?',
					opener,
				)?.body,
			),
		/** What opens an account: fingerprints of keys, and profiles with their address. */
		openersOf: (id: string): string[] =>
			connection
				.all('SELECT opener FROM account_openers WHERE account_id = ?', id)
				.map(({opener}) => String(opener)),
		putOpener(opener: string, id: string): void {
			exclusively(() => connection.upsert('account_openers', ['opener'], {opener, account_id: id}));
		},
		/** Per-machine salt, created on first use, so fingerprints can't be compared across machines. */
		salt(): string {
			const saved = settings.get(saltSetting);
			if (typeof saved === 'string') return saved;
			return exclusively(() => {
				const savedMeanwhile = settings.get(saltSetting);
				if (typeof savedMeanwhile === 'string') return savedMeanwhile;
				const salt = randomId() + randomId();
				settings.put(saltSetting, salt);
				return salt;
			});
		},
		exclusively,
	};
}
