import {createHmac} from 'node:crypto';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openMachine, withDatabase} from '../../src/account-files.ts';
import {
	chooseAccount,
	findAccount,
	fixedAccount,
	NewKeyError,
	openAccountDatabase,
} from '../../src/accounts.ts';
import {ConfigError, type ServiceAddress} from '../../src/config/config.ts';
import {Secret} from '../../src/config/secret.ts';
import type {Account} from '../../src/domain/accounts/account.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {tokenOf} from '../support/token.ts';

const url = 'https://service.example';

function accountsAt() {
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const addressOf = (key: string, keyFrom: ServiceAddress['keyFrom'] = 'environment', baseUrl = url) =>
		({baseUrl, appUrl: baseUrl, key: new Secret(key), keyFrom}) as const;
	const open = (key: string, {profile = 'default', keyFrom, baseUrl}: Opening = {}) =>
		findAccount(machine, {profile, stateFolder}, addressOf(key, keyFrom, baseUrl));
	type Opening = {
		readonly profile?: string;
		readonly keyFrom?: ServiceAddress['keyFrom'];
		readonly baseUrl?: string;
	};
	/** An account of a key, with something to lose. */
	const opened = (...args: Parameters<typeof open>) => {
		const {account} = open(...args);
		withDatabase(machine, stateFolder, account, ({drafts}) =>
			drafts.put('s', {text: 'typed', images: [], files: [], updatedAt: 1}),
		);
		return account;
	};
	const choose = (key: string, id: string | undefined) =>
		chooseAccount(machine, {profile: 'default', stateFolder}, addressOf(key), id);
	return {machine, stateFolder, addressOf, open, opened, choose};
}

test('a key opens the same account again, whatever the profile', () => {
	const {open, opened} = accountsAt();
	const {id} = opened('key');
	expect(open('key', {profile: 'other', keyFrom: 'file'})).toMatchObject({account: {id}});
});

test('a token opens the account of the organization it names', () => {
	const {open, opened, choose, machine} = accountsAt();
	const first = opened(tokenOf({org_id: 'org-1', iat: 1}), {keyFrom: 'file'});
	const again = open(tokenOf({org_id: 'org-1', iat: 2}), {keyFrom: 'file'});
	expect(again).toEqual({account: expect.objectContaining({id: first.id, organization: 'org-1'})});
	const other = open(tokenOf({org_id: 'org-2'}), {keyFrom: 'file'});
	expect(other.account).toMatchObject({organization: 'org-2'});
	expect(other.account.id).not.toBe(first.id);
	expect(() => choose(tokenOf({org_id: 'org-2'}), first.id)).toThrow(ConfigError);
	expect(() => choose(tokenOf({org_id: 'org-3'}), first.id)).toThrow(/belongs to org-1/);
	expect(machine.accounts.all()).toHaveLength(2);
});

test('a profile whose own key is replaced keeps its account, which is told once', () => {
	const {open, opened} = accountsAt();
	const own = opened('first', {profile: 'own', keyFrom: 'file'});
	opened('second', {profile: 'other', keyFrom: 'command'});
	const replaced = () => open('replaced', {profile: 'own', keyFrom: 'file'});
	expect(replaced()).toMatchObject({account: {id: own.id}, hasNewKey: true});
	expect(replaced()).toEqual({account: expect.objectContaining({id: own.id})});
	const {account} = open(tokenOf({org_id: 'org-1'}), {profile: 'own', keyFrom: 'file'});
	expect(account).toMatchObject({id: own.id, organization: 'org-1'});
});

test('a new key in the environment opens nothing until the user says which account', () => {
	const {open, opened, choose, machine} = accountsAt();
	const first = opened('first');
	expect(() => open('unknown')).toThrow(NewKeyError);
	expect(() => open('unknown')).toThrow(`accounts use ${first.id}. If not: quarterdeck accounts use new`);
	expect(machine.accounts.all()).toHaveLength(1);
	choose('unknown', first.id);
	expect(open('unknown')).toMatchObject({account: {id: first.id}});
	const {id} = choose('unknown', undefined);
	expect(id).not.toBe(first.id);
	expect(open('unknown')).toMatchObject({account: {id}});
	expect(open('first')).toMatchObject({account: {id: first.id}});
});

test('an open account is no longer current once its key opens another, or it is forgotten', () => {
	const {machine, stateFolder, opened, choose, addressOf} = accountsAt();
	const openDatabaseOf = (account: Account) => {
		const database = openAccountDatabase(machine, account, {stateFolder, service: addressOf('key')});
		onTestFinished(() => database.close());
		return database.account;
	};
	const first = openDatabaseOf(opened('key'));
	expect(first?.isCurrent()).toBe(true);
	const next = choose('key', undefined);
	const second = openDatabaseOf(next);
	expect([first?.isCurrent(), second?.isCurrent()]).toEqual([false, true]);
	machine.accounts.remove(next.id);
	expect(second?.isCurrent()).toBe(false);
});

test('an account without anything in it is no reason to ask', () => {
	const {open} = accountsAt();
	const mistyped = open('mistyped');
	const {account} = open('right');
	expect(account.id).not.toBe(mistyped.account.id);
});

test("another address's account can't be used, nor one that is gone", () => {
	const {opened, choose} = accountsAt();
	const {id} = opened('key', {baseUrl: 'http://127.0.0.1:1'});
	expect(() => choose('key', id)).toThrow(`account ${id} doesn't belong to`);
	expect(() => choose('key', 'gone')).toThrow('there is no account gone');
});

test('a key is known by an HMAC of it and its address', () => {
	const {machine, opened} = accountsAt();
	const {id, address} = opened('a-key');
	const code = createHmac('sha256', machine.accounts.salt()).update(`${address}\na-key`).digest('hex');
	expect(machine.accounts.openedBy(code)?.id).toBe(id);
});

test('two programs that start at the same moment share the account of the embedded service', () => {
	const {machine} = accountsAt();
	const {accounts} = machine;
	let now = 0;
	const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++now);
	onTestFinished(() => clock.mockRestore());
	const get = vi.fn(accounts.get);
	// The other program adds it after this one has looked.
	get.mockImplementationOnce(() => {
		fixedAccount(machine, 'local', 'local');
		return undefined;
	});
	const account = fixedAccount({...machine, accounts: {...accounts, get}}, 'local', 'local');
	expect(accounts.get('local')).toEqual(account);
	expect(account.createdAt).toBe(1);
});
