import {createHmac} from 'node:crypto';
import {existsSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {newAccount, openMachine} from '../../src/account-files.ts';
import {matchNewKey} from '../../src/accounts.ts';
import {createHttpService} from '../../src/api/http/http-service.ts';
import {Secret} from '../../src/config/secret.ts';
import {openAccountFile} from '../../src/db/account-database.ts';
import type {Database} from '../../src/db/database.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {joinAccounts} from '../../src/join-accounts.ts';
import {keptBefore, keptElsewhere} from '../../src/kept-in-accounts.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {fakeOrganization, startOrganizations} from '../support/organization-service.ts';

/** Opens accounts of keys at a service that accepts only `valid`. */
async function keysOfService() {
	const {url} = await startOrganizations(fakeOrganization('a', 'valid'));
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const open = (key: string, profile: string) => {
		const address = {baseUrl: url, appUrl: url, key: new Secret(key)};
		const connect = async () => {
			const service = createHttpService({address, retries: 0});
			onTestFinished(() => service.close());
			return service;
		};
		return matchNewKey(machine, {mode: 'remote', profile, stateFolder}, address, {connect});
	};
	const write = (file: string, change: (database: Database) => void) => {
		const database = openDatabase({file: join(stateFolder, file)});
		change(database);
		database.close();
	};
	return {open, write};
}

const draftIn = (sessionId: string) => (database: Database) =>
	database.drafts.put(sessionId, {text: 'typed', images: [], files: [], updatedAt: 1});

test('a key that was only ever refused raises no doubt about a later one, however often it was tried', async () => {
	const {open, write} = await keysOfService();
	const first = await open('once-valid', 'a');
	write(first.account.file, draftIn('s-1'));
	const mistyped = await open('mistyped', 'b');
	expect(mistyped.doubt?.why).toBe('refused');
	write(mistyped.account.file, draftIn('s-2'));
	await open('mistyped', 'b');
	const {account, doubt} = await open('valid', 'a');
	expect(doubt?.other.id).toBe(first.account.id);
	expect(account.id).toBe(mistyped.account.id);
});

test('messages that wait with a refused key are not sent with a later one unless the user joins the two', async () => {
	const {open, write} = await keysOfService();
	write((await open('once-valid', 'a')).account.file, draftIn('s'));
	const refused = await open('revoked', 'a');
	expect(refused.doubt?.why).toBe('refused');
	write(refused.account.file, ({outbox}) =>
		outbox.put({
			id: 'm',
			accountId: refused.account.id,
			sessionId: 's',
			text: 'for the service of the refused key',
			images: [],
			files: [],
			state: 'queued',
			createdAt: 1,
			tries: 0,
		}),
	);
	const {account, doubt} = await open('valid', 'a');
	expect(account.id).not.toBe(refused.account.id);
	expect(doubt).toEqual({other: expect.objectContaining({id: refused.account.id}), why: 'no-evidence'});
});

/** An account that has read its organization's computer, at a service where that also has a second key. */
async function rotatedKey() {
	const organization = fakeOrganization('a', 'first');
	organization.keys.add('rotated');
	const box = {name: 'box', createdAt: 1_700_000_000_000};
	organization.computers.set('c', box);
	const {url} = await startOrganizations(organization);
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	/** `beforeAsking`: called when the saved data was read, and the service wasn't asked yet. */
	const open = (key: string, beforeAsking: () => unknown = () => {}) => {
		const address = {baseUrl: url, appUrl: url, key: new Secret(key)};
		return matchNewKey(machine, {mode: 'remote', profile: 'a', stateFolder}, address, {
			async connect() {
				await beforeAsking();
				const service = createHttpService({address, retries: 0});
				onTestFinished(() => service.close());
				return service;
			},
		});
	};
	const {account: first} = await open('first');
	const file = join(stateFolder, first.file);
	const database = openDatabase({file});
	database.computers.put({id: 'c', origin: 'added', addedAt: 1, computer: {id: 'c', ...box}, fetchedAt: 1});
	database.close();
	return {machine, stateFolder, organization, first, file, open};
}

test('a rotated key whose account is forgotten while the service is asked gets its own', async () => {
	const {machine, first, file, open} = await rotatedKey();
	const {account} = await open('rotated', () => {
		machine.accounts.remove(first.id);
		rmSync(dirname(file), {recursive: true});
	});
	expect(machine.accounts.all().map(({id}) => id)).toEqual([account.id]);
	expect(account.id).not.toBe(first.id);
	expect(existsSync(file)).toBe(false);
});

test('a rotated key whose account is joined to another while the service is asked opens that one', async () => {
	const {machine, stateFolder, first, open} = await rotatedKey();
	const other = {...newAccount('other', 'remote'), address: first.address ?? '', createdAt: 1};
	const {account} = await open('rotated', () => {
		machine.accounts.put(other);
		joinAccounts(machine, stateFolder, {into: other.id, from: first.id}, openAccountFile);
	});
	expect(account.id).toBe(other.id);
});

test('a key that another program has just told apart stays so, whatever the service says to this one', async () => {
	const {machine, organization, open} = await rotatedKey();
	organization.computers.delete('c');
	let theirs = '';
	const {account} = await open('rotated', async () => {
		theirs = (await open('rotated')).account.id;
		organization.keys.delete('rotated');
	});
	expect(account.id).toBe(theirs);
	expect(machine.accounts.get(theirs)).not.toHaveProperty('isUndecided');
});

test('a key is known by the HMAC that every release has saved', async () => {
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const url = 'http://127.0.0.1:1';
	const address = {baseUrl: url, appUrl: url, key: new Secret('a-key')};
	const service = createHttpService({address, retries: 0});
	onTestFinished(() => service.close());
	const connect = () => Promise.resolve(service);
	const {account} = await matchNewKey(machine, {mode: 'remote', profile: 'a', stateFolder}, address, {
		connect,
	});
	const code = createHmac('sha256', machine.accounts.salt())
		.update(`${account.address}\na-key`)
		.digest('hex');
	expect(machine.accounts.ofKey(code)?.id).toBe(account.id);
});

test('a key that nothing answered: what stays with the one before it is counted, and nothing with itself', async () => {
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const choice = {mode: 'remote', profile: 'a', stateFolder} as const;
	const open = async (key: string, port = 1) => {
		const url = `http://127.0.0.1:${port}`;
		const address = {baseUrl: url, appUrl: url, key: new Secret(key)};
		const service = createHttpService({address, retries: 0});
		onTestFinished(() => service.close());
		const connect = () => Promise.resolve(service);
		const {account} = await matchNewKey(machine, choice, address, {connect});
		const database = openDatabase({file: join(stateFolder, account.file)});
		onTestFinished(() => database.close());
		return {account, database};
	};
	const used = await open('used');
	used.database.drafts.put('s-1', {text: 'typed', images: [], files: [], updatedAt: 1});
	const unused = await open('unused');
	expect(unused.account.id).not.toBe(used.account.id);
	const elsewhere = ({account, database}: typeof used) => keptElsewhere(machine, choice, account, database);
	expect(elsewhere(used)).toBeUndefined();
	const kept = {unsent: 0, sessions: 0, host: '127.0.0.1:1', isOtherKey: true};
	expect(elsewhere(unused)).toEqual({...kept, drafts: 1});
	expect(elsewhere(await open('used', 2))).toMatchObject({host: '127.0.0.1:1', isOtherKey: false});
	const before = (now: typeof used, last: typeof used) =>
		keptBefore(machine, choice, now.account, last.account.id);
	expect(before(used, unused)).toBeUndefined();
	const {account} = used;
	expect(before(unused, used)).toMatchObject({unsent: 0, drafts: 1, account: {id: account.id}});
});

test('sessions that stay with the address that a profile had are counted, but not those of hooks', async () => {
	const stateFolder = temporaryFolder();
	const machine = openMachine(stateFolder);
	onTestFinished(() => machine.close());
	const choice = {mode: 'remote', profile: 'a', stateFolder} as const;
	const open = async (port: number) => {
		const url = `http://127.0.0.1:${port}`;
		const address = {baseUrl: url, appUrl: url, key: new Secret('key')};
		const connect = () => Promise.reject(new Error('the address has no other account'));
		const {account} = await matchNewKey(machine, choice, address, {connect});
		const database = openDatabase({file: join(stateFolder, account.file)});
		onTestFinished(() => database.close());
		return {account, database};
	};
	const before = await open(1);
	before.database.sessions.put({id: 'hooked', origin: 'hook', addedAt: 1});
	const {account, database} = await open(2);
	expect(keptElsewhere(machine, choice, account, database)).toBeUndefined();
	before.database.sessions.put({id: 's-1', origin: 'created', addedAt: 1});
	const kept = {unsent: 0, drafts: 0, sessions: 1, host: '127.0.0.1:1', isOtherKey: false};
	expect(keptElsewhere(machine, choice, account, database)).toEqual(kept);
});
