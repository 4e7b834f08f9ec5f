import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openAccountFile} from '../../src/db/account-database.ts';
import type {Database} from '../../src/db/database.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import type {Account} from '../../src/domain/accounts/account.ts';
import {copyJoined, JoinError, joinAccounts} from '../../src/join-accounts.ts';
import {temporaryFolder} from '../support/local-service.ts';

const account = (id: string, address: string): Account => ({
	id,
	kind: 'remote',
	address,
	file: `${id}.sqlite`,
	createdAt: 1,
	usedAt: 1,
});

function setUp() {
	const folder = temporaryFolder();
	const machine = openDatabase({file: join(folder, 'machine')});
	onTestFinished(() => machine.close());
	for (const id of ['old', 'new', 'else'])
		machine.accounts.put(account(id, id === 'else' ? 'https://b.example' : 'https://a.example'));
	for (const id of ['old', 'new', 'else']) machine.accounts.putKey(`of-${id}`, id);
	const write = (id: string, extra: (database: Database) => void) => {
		const database = openDatabase({file: join(folder, `${id}.sqlite`)});
		database.drafts.put('both', {text: `draft of ${id}`, images: [], files: [], updatedAt: 1});
		database.outbox.put({
			id: `out-${id}`,
			accountId: id,
			sessionId: 'both',
			text: `message of ${id}`,
			images: [],
			files: [],
			state: 'queued',
			createdAt: 1,
			tries: 0,
		});
		extra(database);
		database.close();
	};
	write('else', () => {});
	write('old', ({sessions}) => sessions.put({id: 'both', origin: 'added', addedAt: 1, name: 'mine'}));
	write('new', ({sessions, drafts}) => {
		sessions.put({id: 'both', origin: 'added', addedAt: 2, name: 'theirs', pinned: true});
		sessions.put({id: 'newer', origin: 'added', addedAt: 2});
		drafts.put('newer', {text: 'alone', images: [], files: [], updatedAt: 1});
		drafts.addOther('apart', {text: 'displaced', images: [], files: []});
	});
	return {folder, machine};
}

test('a join carries over what was typed, whatever is there already, and however often it is begun', () => {
	const {folder, machine} = setUp();
	const carried = joinAccounts(machine, folder, {into: 'old', from: 'new'}, openAccountFile);
	expect(carried).toEqual({messages: 1, drafts: 2, sessions: 1});
	expect(machine.accounts.ofKey('of-new')?.id).toBe('old');
	const database = openDatabase({file: join(folder, 'old.sqlite')});
	onTestFinished(() => database.close());
	const look = () => ({
		drafts: database.drafts
			.sessions()
			.map(id => [database.drafts.get(id)?.text, ...database.drafts.others(id).map(({text}) => text)]),
		outbox: database.outbox.all().map(({id, accountId, state}) => `${id} ${accountId} ${state}`),
		sessions: database.sessions.all().map(({id, name, pinned}) => [id, name, pinned]),
	});
	const once = look();
	expect(once).toEqual({
		drafts: expect.arrayContaining([['draft of old', 'draft of new'], ['alone'], [undefined, 'displaced']]),
		outbox: ['out-old old queued', 'out-new old queued'],
		sessions: [
			['both', 'mine', true],
			['newer', undefined, undefined],
		],
	});
	// Cut off before it was noted down as done.
	const left = machine.accounts.get('new');
	if (left) machine.accounts.put({...left, isCarried: false});
	copyJoined(machine, folder, {id: 'old', database}, openAccountFile);
	expect(look()).toEqual(once);
});

test('accounts of two services are not joined', () => {
	const {folder, machine} = setUp();
	for (const [into, from] of [
		['old', 'else'],
		['else', 'old'],
		['old', 'old'],
		['old', 'nobody'],
	] as const)
		expect(() => joinAccounts(machine, folder, {into, from}, openAccountFile)).toThrow(JoinError);
	expect(() => joinAccounts(machine, folder, {into: 'old', from: 'else'}, openAccountFile)).toThrow(
		'only accounts of one address can be joined',
	);
	expect(machine.accounts.all().every(({joinedTo}) => joinedTo === undefined)).toBe(true);
	for (const id of ['old', 'else']) {
		expect(machine.accounts.ofKey(`of-${id}`)?.id).toBe(id);
		const database = openDatabase({file: join(folder, `${id}.sqlite`)});
		onTestFinished(() => database.close());
		expect(database.outbox.all()).toMatchObject([{id: `out-${id}`, accountId: id, state: 'queued'}]);
		expect(database.drafts.sessions()).toEqual(['both']);
		expect(database.drafts.get('both')?.text).toBe(`draft of ${id}`);
		expect(database.drafts.others('both')).toEqual([]);
	}
});

test('accounts of two known organizations are not joined, and nothing is changed', () => {
	const {folder, machine} = setUp();
	const name = (id: string, organization: string) => {
		const database = openDatabase({file: join(folder, `${id}.sqlite`)});
		database.settings.put('analytics.organization', organization);
		database.close();
	};
	const tryJoin = () => joinAccounts(machine, folder, {into: 'old', from: 'new'}, openAccountFile);
	name('old', 'alpha');
	name('new', 'bravo');
	expect(tryJoin).toThrow(new JoinError('old belongs to alpha and new to bravo: nothing was joined'));
	expect(machine.accounts.all().every(({joinedTo}) => joinedTo === undefined)).toBe(true);
	expect(machine.accounts.ofKey('of-new')?.id).toBe('new');
	name('new', 'alpha');
	expect(tryJoin()).toMatchObject({messages: 1});
});
