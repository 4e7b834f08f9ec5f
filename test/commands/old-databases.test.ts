import {mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import type {Message} from '../../src/domain/messages/message.ts';
import {accountsIn} from '../support/account-files.ts';
import type {Commands} from '../support/commands.ts';
import type {FakeOrganization} from '../support/organization-service.ts';
import {marks, posts, setUpPlaces as setUp} from '../support/places.ts';

describe('a database of an earlier release', () => {
	/** As a profile kept it: one file, whatever services it was read from. */
	function writeOld({stateFolder}: Commands, name: string, organizations: readonly FakeOrganization[]): void {
		mkdirSync(stateFolder, {recursive: true, mode: 0o700});
		const database = openDatabase({file: join(stateFolder, `${name}.sqlite`)});
		for (const {id, sessions} of organizations) {
			const sessionId = `session-${id}`;
			const [message] = sessions.get(sessionId) ?? [];
			database.sessions.put({id: sessionId, origin: 'added', addedAt: 1});
			if (message) database.messages.put(sessionId, [{message: message as Message}]);
			const state = 'queued';
			const item = {id: `out-${id}`, sessionId, text: `old words of ${id}`, images: [], files: []};
			database.outbox.put({...item, state, createdAt: Date.now(), tries: 0});
		}
		database.close();
	}

	test('becomes the account it was read with if the service has all of it', async () => {
		const {a1, atA, cli} = await setUp();
		writeOld(cli, 'default', [a1.organization]);
		const listed = await a1.run('sessions', 'list');
		expect(listed).toMatchObject({code: 0, stderr: ''});
		expect(listed.stdout).toContain('session-a1');
		expect(accountsIn(cli.stateFolder)).toMatchObject([{file: 'default.sqlite', kind: 'remote'}]);
		expect((await a1.run('send', 'session-a1', 'new words')).code).toBe(0);
		expect(a1.organization.sessions.get('session-a1')?.map(({content}) => content)).toMatchObject([
			{},
			[{text: 'old words of a1'}],
			[{text: 'new words'}],
		]);
		expect(posts(atA)).toHaveLength(2);
	});

	test('of two services is kept apart, offered for joining, and sends nothing', async () => {
		const {a1, atA, b, atB, cli} = await setUp();
		writeOld(cli, 'default', [a1.organization, b.organization]);
		for (const place of [a1, b]) {
			const listed = await place.run('sessions', 'list');
			expect(listed.stdout).not.toMatch(marks('(a1|b)'));
			expect(listed.stderr).toContain('quarterdeck accounts join old-default');
		}
		const accounts = await a1.run('accounts', 'list');
		expect(accounts.stdout).toMatch(/old-default +unknown account/);
		expect([...posts(atA), ...posts(atB)]).toEqual([]);
		expect(onlyOldOf(cli)).toEqual(['default.sqlite']);
	});
});

function onlyOldOf({stateFolder}: Commands): string[] {
	return readdirSync(stateFolder).filter(name => name.endsWith('.sqlite'));
}
