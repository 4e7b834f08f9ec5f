import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {AbortError} from '../../../../src/api/errors.ts';
import {createHttpService} from '../../../../src/api/http/http-service.ts';
import {Secret} from '../../../../src/config/secret.ts';
import type {Database} from '../../../../src/db/database.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Account} from '../../../../src/domain/accounts/account.ts';
import {matchAccount, readEvidence, rememberUsers} from '../../../../src/sync/fleet/match-account.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {addMessage, fakeOrganization, startOrganizations} from '../../../support/organization-service.ts';

const createdAt = Date.UTC(2026, 0, 5);

/** Two organizations of one service, both with a computer `c-1` and a session `s-1`. The key is new, and of `a`. */
async function setUp() {
	const [a, b] = [fakeOrganization('a', 'new-key'), fakeOrganization('b', 'key-of-b')];
	for (const organization of [a, b]) {
		organization.computers.set('c-1', {name: `box of ${organization.id}`, createdAt});
		addMessage(organization, 's-1', `words of ${organization.id}`);
	}
	const {url} = await startOrganizations(a, b);
	const service = createHttpService({
		address: {baseUrl: url, appUrl: url, key: new Secret('new-key')},
		retries: 0,
	});
	const match = async (...accounts: ReturnType<typeof evidenceOf>[]) => {
		const {computers} = service;
		const get = async (...[id, options]: Parameters<typeof computers.get>) => {
			if (id === 'silent') throw new AbortError(false);
			return computers.get(id, options);
		};
		const found = await matchAccount(
			{...service, computers: {...computers, get}},
			accounts,
			AbortSignal.timeout(15_000),
		);
		if (found.verdict === 'match') return {verdict: found.verdict, id: found.account.id};
		return {verdict: found.verdict, id: undefined, doubted: found.doubted?.id};
	};
	return {a, match};
}

function evidenceOf(id: string, write: (database: Database) => void) {
	const account: Account = {id, kind: 'remote', file: `${id}.sqlite`, createdAt: 1, usedAt: 1};
	const database = openDatabase({file: join(temporaryFolder(), account.file)});
	onTestFinished(() => database.close());
	write(database);
	return readEvidence(account, database);
}

const withComputer = (database: Database) => putComputer(database, 'c-1');

function putComputer({computers}: Database, id: string): void {
	computers.put({
		id,
		origin: 'added',
		addedAt: 1,
		computer: {id, name: 'box', providerType: 'byom', createdAt},
	});
}

test('an id that two accounts share proves neither', async () => {
	const {a, match} = await setUp();
	a.isMember = true;
	expect(await match(evidenceOf('b', withComputer))).toEqual({verdict: 'match', id: 'b'});
	const both = [evidenceOf('b', withComputer), evidenceOf('a', withComputer)];
	expect(await match(...both)).toEqual({verdict: 'no-evidence', id: undefined, doubted: 'b'});
});

test("a matching id proves nothing while the service doesn't answer about another account's ids", async () => {
	const {a, match} = await setUp();
	a.isMember = true;
	const silent = evidenceOf('a', database => putComputer(database, 'silent'));
	const undecided = {verdict: 'no-answer', id: undefined, doubted: 'b'};
	expect(await match(evidenceOf('b', withComputer), silent)).toEqual(undecided);
	expect(await match(silent, evidenceOf('b', withComputer))).toEqual(undecided);
	expect(
		await match(
			evidenceOf('b', withComputer),
			evidenceOf('empty', () => {}),
		),
	).toMatchObject({id: 'b'});
});

test("the organization's users decide, even if the ids fit an account that was used later", async () => {
	const {a, match} = await setUp();
	const known = evidenceOf('a', ({settings}) => rememberUsers(settings, a.users));
	expect(await match(evidenceOf('b', withComputer), known)).toEqual({verdict: 'match', id: 'a'});
});

test('an existing session with the same id proves nothing', async () => {
	const {a, match} = await setUp();
	a.isMember = true;
	const unread = evidenceOf('b', ({sessions}) =>
		sessions.put({
			id: 's-1',
			origin: 'added',
			addedAt: 1,
			session: {sessionId: 's-1', status: 'idle', messageCount: 1, createdAt, updatedAt: createdAt},
		}),
	);
	expect(await match(unread)).toEqual({verdict: 'no-evidence', id: undefined, doubted: 'b'});
});

test('a cached message of the same id proves nothing unless it says the same', async () => {
	const {a, match} = await setUp();
	a.isMember = true;
	const messageOf = (text: string) => ({id: 'm-1', content: [{id: 'c', text}], createdAt});
	a.sessions.set('s-1', [messageOf('words of a')]);
	const withCached = (text: string) =>
		evidenceOf('b', ({messages, sessions}) => {
			sessions.put({id: 's-1', origin: 'added', addedAt: 1});
			messages.put('s-1', [{message: messageOf(text)}]);
		});
	expect(await match(withCached('words of b'))).toEqual({
		verdict: 'no-evidence',
		id: undefined,
		doubted: 'b',
	});
	expect(await match(withCached('words of a'))).toEqual({verdict: 'match', id: 'b'});
});

test('doubts the account that nothing rules out, not one of another organization that was used later', async () => {
	const {match} = await setUp();
	const other = evidenceOf('other', ({settings}) => rememberUsers(settings, ['x-1', 'x-2']));
	const unclear = evidenceOf('unclear', () => {});
	expect(await match(other, unclear)).toEqual({verdict: 'no-evidence', id: undefined, doubted: 'unclear'});
	expect(await match(other)).toEqual({verdict: 'other', id: undefined});
});
