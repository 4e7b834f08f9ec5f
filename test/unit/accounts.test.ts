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
import {createHttpService} from '../../src/api/http/http-client.ts';
import {ConfigError, type ServiceAddress} from '../../src/config/config.ts';
import {Secret} from '../../src/config/secret.ts';
import type {Database} from '../../src/db/database.ts';
import type {Account} from '../../src/domain/accounts/account.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {fakeOrganization, startOrganizations} from '../support/organization-service.ts';
import {tokenOf} from '../support/token.ts';

/** Opens accounts at a service of two organizations, of which members' keys don't show which one it is. */
async function accountsAt() {
	const organizations = [fakeOrganization('one'), fakeOrganization('two')] as const;
	for (const organization of organizations) organization.isMember = true;
	const service = await startOrganizations(...organizations);
	const {url} = service;
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const addressOf = (key: string, keyFrom: ServiceAddress['keyFrom'] = 'environment', baseUrl = url) =>
		({baseUrl, appUrl: baseUrl, key: new Secret(key), keyFrom}) as const;
	const open = (key: string, {profile = 'default', keyFrom, baseUrl}: Opening = {}) => {
		const address = addressOf(key, keyFrom, baseUrl);
		return findAccount(machine, {profile, stateFolder}, address, async () => {
			const connected = createHttpService({address, retries: 0});
			onTestFinished(() => connected.close());
			return connected;
		});
	};
	type Opening = {
		readonly profile?: string;
		readonly keyFrom?: ServiceAddress['keyFrom'];
		readonly baseUrl?: string;
	};
	const use = <T>(account: Account, run: (database: Database) => T) =>
		withDatabase(machine, stateFolder, account, run);
	/** An account of a key, with something to lose. */
	const opened = async (...args: Parameters<typeof open>) => {
		const {account} = await open(...args);
		use(account, ({drafts}) => drafts.put('s', {text: 'typed', images: [], files: [], updatedAt: 1}));
		return account;
	};
	const choose = (key: string, id: string | undefined) =>
		chooseAccount(machine, {profile: 'default', stateFolder}, addressOf(key), id);
	return {machine, stateFolder, organizations, service, addressOf, open, opened, use, choose};
}

test('a key opens the same account again, whatever the profile, and nobody is asked', async () => {
	const {open, opened, service} = await accountsAt();
	const {id} = await opened('key');
	expect(await open('key', {profile: 'other', keyFrom: 'file'})).toMatchObject({account: {id}});
	expect(service.requests).toEqual([]);
});

test('a token opens the account of the organization it names, and is not looked up at the service', async () => {
	const {open, opened, service, choose, machine} = await accountsAt();
	const first = await opened(tokenOf({org_id: 'org-1', iat: 1}), {keyFrom: 'file'});
	const again = await open(tokenOf({org_id: 'org-1', iat: 2}), {keyFrom: 'file'});
	expect(again).toEqual({account: expect.objectContaining({id: first.id, organization: 'org-1'})});
	const other = await open(tokenOf({org_id: 'org-2'}), {keyFrom: 'file'});
	expect(other.account).toMatchObject({organization: 'org-2'});
	expect(other.account.id).not.toBe(first.id);
	expect(() => choose(tokenOf({org_id: 'org-2'}), first.id)).toThrow(ConfigError);
	expect(() => choose(tokenOf({org_id: 'org-3'}), first.id)).toThrow(/belongs to org-1/);
	expect(machine.accounts.all()).toHaveLength(2);
	expect(service.requests).toEqual([]);
});

test('a profile whose own key is replaced keeps its account, which is told once', async () => {
	const {open, opened} = await accountsAt();
	const own = await opened('first', {profile: 'own', keyFrom: 'file'});
	await opened('second', {profile: 'other', keyFrom: 'command'});
	const replaced = () => open('replaced', {profile: 'own', keyFrom: 'file'});
	expect(await replaced()).toMatchObject({account: {id: own.id}, hasNewKey: true});
	expect(await replaced()).toEqual({account: expect.objectContaining({id: own.id})});
	const {account} = await open(tokenOf({org_id: 'org-1'}), {profile: 'own', keyFrom: 'file'});
	expect(account).toMatchObject({id: own.id, organization: 'org-1'});
});

test('a new key in the environment opens nothing until the user says which account', async () => {
	const {open, opened, choose, machine, organizations} = await accountsAt();
	const first = await opened('first');
	organizations[0].keys.add('unknown');
	await expect(open('unknown')).rejects.toThrow(NewKeyError);
	await expect(open('unknown')).rejects.toThrow(
		`accounts use ${first.id}. If not: quarterdeck accounts use new`,
	);
	expect(machine.accounts.all()).toHaveLength(1);
	choose('unknown', first.id);
	expect(await open('unknown')).toMatchObject({account: {id: first.id}});
	const {id} = choose('unknown', undefined);
	expect(id).not.toBe(first.id);
	expect(await open('unknown')).toMatchObject({account: {id}});
	expect(await open('first')).toMatchObject({account: {id: first.id}});
});

test('an open account is no longer current once its key opens another, or it is forgotten', async () => {
	const {machine, stateFolder, opened, choose, addressOf} = await accountsAt();
	const openDatabaseOf = (account: Account) => {
		const database = openAccountDatabase(machine, account, {stateFolder, service: addressOf('key')});
		onTestFinished(() => database.close());
		return database.account;
	};
	const first = openDatabaseOf(await opened('key'));
	expect(first?.isCurrent()).toBe(true);
	const next = choose('key', undefined);
	const second = openDatabaseOf(next);
	expect([first?.isCurrent(), second?.isCurrent()]).toEqual([false, true]);
	machine.accounts.remove(next.id);
	expect(second?.isCurrent()).toBe(false);
});

test('an account without anything in it is no reason to ask', async () => {
	const {open} = await accountsAt();
	const mistyped = await open('mistyped');
	const {account} = await open('right');
	expect(account.id).not.toBe(mistyped.account.id);
});

test('the organization that the service names decides for keys that name none', async () => {
	const {open, opened, organizations, use} = await accountsAt();
	const [one, two] = organizations;
	const known = await opened('first');
	use(known, ({analytics}) => analytics.setOrganization('one'));
	for (const organization of organizations) organization.isMember = false;
	one.keys.add('of-one');
	two.keys.add('of-two').add('also-of-two');
	expect(await open('of-one')).toEqual({account: expect.objectContaining({id: known.id})});
	const other = await opened('of-two');
	expect(other.id).not.toBe(known.id);
	expect(await open('also-of-two', {keyFrom: 'file'})).toMatchObject({account: {id: other.id}});
});

test('a key that the service refuses opens nothing, unless it is that of a profile', async () => {
	const {open, opened} = await accountsAt();
	const {id} = await opened('first', {keyFrom: 'file'});
	await expect(open('refused')).rejects.toMatchObject({name: 'UnauthorizedError'});
	expect(await open('refused', {keyFrom: 'file'})).toMatchObject({account: {id}});
});

test("another address's account can't be used, nor one that is gone", async () => {
	const {opened, choose} = await accountsAt();
	const {id} = await opened('key', {baseUrl: 'http://127.0.0.1:1'});
	expect(() => choose('key', id)).toThrow(`account ${id} doesn't belong to`);
	expect(() => choose('key', 'gone')).toThrow('there is no account gone');
});

test('a key is known by an HMAC of it and its address', async () => {
	const {machine, opened} = await accountsAt();
	const {id, address} = await opened('a-key');
	const code = createHmac('sha256', machine.accounts.salt()).update(`${address}\na-key`).digest('hex');
	expect(machine.accounts.openedBy(code)?.id).toBe(id);
});

test('two programs that start at the same moment share the account of the embedded service', async () => {
	const {machine} = await accountsAt();
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
