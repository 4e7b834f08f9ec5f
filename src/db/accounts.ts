import type {SQLOutputValue} from 'node:sqlite';
import {randomId} from '../../hooks/random-id.ts';
import type {Account} from '../domain/accounts/account.ts';
import type {Connection} from './file/connection.ts';
import {fromJson} from './file/json.ts';
import {settingsTable} from './settings.ts';

export type AccountsTable = ReturnType<typeof accountsTable>;

const minute = 60_000;

const saltSetting = 'accounts.salt';

/** The accounts on this machine and the keys that open them. Stored only in the machine's database. */
export function accountsTable(connection: Connection) {
	const settings = settingsTable(connection);
	const toAccount = (body: SQLOutputValue | undefined) => fromJson<Account>(body);
	/** Runs several of these calls as one transaction: no other process reads or writes in between. */
	const exclusively = <T>(run: () => T) => connection.write('full', run);
	/** Changes the account if it is still there: another program may have joined or forgotten it meanwhile. */
	function change(id: string, changes: {[Field in keyof Account]?: Account[Field] | undefined}): void {
		// Before the first frame: not worth waiting for the disk.
		connection.write('normal', () => {
			const account = toAccount(connection.get('SELECT body FROM accounts WHERE id = ?', id)?.body);
			if (!account) return;
			connection.upsert('accounts', ['id'], {id, body: JSON.stringify({...account, ...changes})});
		});
	}

	return {
		/** All accounts, including merged ones, most recently used first. */
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
		noteUse({id, ...known}: Account, profile: string, now: number): void {
			if (known.profile === profile && now - known.usedAt < minute) return;
			change(id, {profile, usedAt: now});
		},
		/** Records that the account's database exists. */
		noteFile: (id: string) => change(id, {hasFile: true}),
		/** Records that all data of a joined account was copied. */
		noteCarried: (id: string) => change(id, {isCarried: true}),
		/** Records that the account is not the one it may be the same as. */
		keepApart: (id: string) => change(id, {mayBe: undefined}),
		/** Deletes the account and its keys. */
		remove(id: string): void {
			exclusively(() => {
				connection.run('DELETE FROM account_keys WHERE account_id = ?', id);
				connection.run('DELETE FROM accounts WHERE id = ?', id);
			});
		},
		/** The account that a key opens, looked up by the key's fingerprint. */
		ofKey: (fingerprint: string): Account | undefined =>
			toAccount(
				connection.get(
					'SELECT body FROM accounts JOIN account_keys ON account_id = id WHERE fingerprint = ?',
					fingerprint,
				)?.body,
			),
		putKey(fingerprint: string, id: string): void {
			exclusively(() => connection.upsert('account_keys', ['fingerprint'], {fingerprint, account_id: id}));
		},
		/** Removes every key of the account. */
		removeKeys(id: string): void {
			exclusively(() => connection.run('DELETE FROM account_keys WHERE account_id = ?', id));
		},
		/** Reassigns all keys of account `from` to account `to`. */
		moveKeys(from: string, to: string): void {
			exclusively(() =>
				connection.run('UPDATE account_keys SET account_id = ? WHERE account_id = ?', to, from),
			);
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
