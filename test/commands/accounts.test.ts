import {chmodSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {filesHolding, jsonLines} from '../support/cli.ts';
import type {Commands} from '../support/commands.ts';
import {
	dates,
	fill,
	marks,
	type Place,
	posts,
	setUpPlaces as setUp,
	setUpWaiting,
	shared,
	writeProfiles,
} from '../support/places.ts';
import {tokenOf} from '../support/token.ts';

async function everything({run}: Place): Promise<string> {
	const results = [
		await run('computers', 'list', '--json'),
		await run('sessions', 'list', '--json'),
		await run('search', 'secret', '--json'),
		await run('usage', 'activity', ...dates, '--json'),
	];
	return results.map(({stdout, stderr}) => stdout + stderr).join('');
}

/** Commands that only show what is saved of the account. */
const savedDataCommands = [
	['computers', 'list'],
	['sessions', 'list'],
	['sessions', 'list', '--json'],
	['outbox', 'list'],
	['outbox', 'wait'],
	['search', 'secret'],
];

function outboxes({stateFolder}: Commands): Record<string, unknown>[] {
	return accountsIn(stateFolder).flatMap(({file}) => {
		const database = new DatabaseSync(join(stateFolder, file), {readOnly: true});
		try {
			return database.prepare('SELECT state, body, session_id FROM outbox').all();
		} finally {
			database.close();
		}
	});
}

describe('what is kept of one account is not shown in another', () => {
	test.each(['b', 'a2'] as const)('from commands: %s after a1', async other => {
		const {a1, ...places} = await setUp();
		const place = places[other];
		await fill(a1);
		await place.run('accounts', 'use', 'new');
		await place.run('messages', shared, '--all');
		const shown = await everything(place);
		expect(shown).not.toMatch(marks('a1'));
		expect(shown).toContain(`common secret of ${place.organization.id}`);
		expect(shown).toContain(String(place.organization.credits));
		expect(shown).not.toContain(String(a1.organization.credits));
		const before = await everything(a1);
		expect(before).toContain('common secret of a1');
		expect(before).toMatch(/box-a1/);
		expect(before).not.toMatch(marks(place.organization.id));
	});

	test('with a new key, until the user says whose it is', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		const env = {...a1.env, QUARTERDECK_API_KEY: 'key-new'};
		const [own] = accountsIn(cli.stateFolder);
		for (const args of [...savedDataCommands, ['storage'], ['storage', 'prune', '--yes']]) {
			const {code, stdout, stderr} = await cli.run(args, {env});
			expect({args, code, stdout}).toEqual({args, code: 2, stdout: ''});
			expect(stderr).toMatch(
				new RegExp(
					`^quarterdeck: this key is new here, .* accounts use ${own?.id}\\. If not: .* accounts use new\n$`,
				),
			);
		}
		expect(await cli.run(['status'], {env})).toMatchObject({code: 0, stdout: '?\n'});
		expect((await a1.run('status')).stdout).toMatch(/^! \d/);
		expect(accountsIn(cli.stateFolder)).toHaveLength(1);
		expect((await a1.run('search', 'secret')).stdout).toContain('secret of a1');
	});

	test('usage: days stored for good are read again with the key of another account', async () => {
		const {a1, b, atB} = await setUp();
		await fill(a1);
		const {stdout} = await b.run('usage', 'activity', ...dates);
		expect(stdout).toContain('7,002');
		expect(stdout).not.toContain('7,000');
		expect(atB.requests.some(({path}) => path.startsWith('/api/v1/analytics/'))).toBe(true);
	});

	test('usage: nothing is shown with a key that the service takes no more', async () => {
		const {a1} = await setUp();
		await fill(a1);
		a1.organization.keys.clear();
		expect(await a1.run('usage', 'activity', ...dates)).toMatchObject({code: 3, stdout: ''});
	});

	test('usage: nothing is shown to a role that the service refuses', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		a1.organization.isMember = true;
		expect(await a1.run('usage', 'activity', ...dates)).toMatchObject({code: 3, stdout: ''});
		a1.organization.isMember = false;
		expect((await a1.run('usage', 'activity', ...dates)).stdout).toContain('7,000');
		// By its fingerprint a key can't be found again.
		expect(filesHolding(cli.stateFolder, 'key-a1')).toEqual([]);
	});

	test('hook events belong to the machine: once read by one profile, every other has them', async () => {
		const {a1, b, cli} = await setUp();
		const spool = join(cli.stateFolder, 'spool');
		mkdirSync(spool, {recursive: true, mode: 0o700});
		chmodSync(cli.stateFolder, 0o700);
		const id = '0f0e0d0c-0000-4000-8000-000000000001';
		const data = {session_id: 's-hook', hook_event_name: 'Stop', cwd: '/work'};
		const line = `${JSON.stringify({v: 1, id, ts: Date.now(), client: 'claude', event: 'Stop', pid: 1, agentPid: 1, data})}\n`;
		const name = `${String(Date.now()).padStart(15, '0')}-${id}-${line.length}.json`;
		writeFileSync(join(spool, name), line, {mode: 0o600});
		writeProfiles(cli.home, {a1, b});
		const as = (profile: string, ...args: string[]) => cli.run(['--profile', profile, ...args]);
		for (const profile of ['a1', 'b', 'a1'])
			expect(jsonLines((await as(profile, 'events', '--json')).stdout)).toMatchObject([
				{event: 'Stop', data},
			]);
		expect(readdirSync(spool)).toEqual([]);
		for (const profile of ['a1', 'b'])
			expect((await as(profile, 'sessions', 'list')).stdout).toMatch(/s-hook .*idle .*hook/);
	});
});

describe('nothing is posted to another account', () => {
	test.each(['b', 'a2'] as const)('by commands of %s, nor looked for there', async other => {
		const {a1, atA, before, cli, ...places} = await setUpWaiting();
		const place = places[other];
		const service = other === 'b' ? places.atB : atA;
		await place.run('accounts', 'use', 'new');
		await place.run('messages', shared);
		const from = service.requests.length;
		expect((await place.run('send', shared, 'words of another')).code).toBe(0);
		// One post, and no look for what another account has lost.
		expect(service.requests.slice(from).map(({method}) => method)).toEqual(['POST']);
		const said = service.requests.filter(({key}) => !a1.organization.keys.has(key));
		expect(said.map(({text}) => text).join('')).not.toContain('words of a1');
		expect(posts(atA).filter(post => post.startsWith('key-a1'))).toHaveLength(before);
		expect(outboxes(cli).map(({state}) => state)).toEqual(
			expect.arrayContaining(['unconfirmed', 'queued', 'accepted']),
		);
	});
});

describe('a new key', () => {
	test("that is a token belongs to the organization it names, and isn't stored", async () => {
		const {a1, cli} = await setUp();
		const [first, second] = [1, 2].map(iat => tokenOf({email: 'me@acme.example', org_id: 'org-1', iat}));
		a1.organization.keys.add(`${first}`).add(`${second}`);
		const as = (key: string | undefined, ...args: string[]) =>
			cli.run(args, {env: {...a1.env, QUARTERDECK_API_KEY: `${key}`}});
		await as(first, 'messages', shared);
		expect(await as(second, 'search', 'secret')).toMatchObject({code: 0, stderr: ''});
		for (const part of [first?.split('.')[1] ?? '', 'me@acme.example'])
			expect(filesHolding(cli.stateFolder, part)).toEqual([]);
		const listed = jsonLines((await as(first, 'accounts', 'list', '--json')).stdout);
		expect(listed).toMatchObject([{quarterdeck: {organization: 'org-1'}}]);
	});

	test('opens the account that the user names, or a new one', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		const [own] = accountsIn(cli.stateFolder);
		a1.organization.isMember = true;
		a1.organization.keys.add('rotated');
		const env = {...a1.env, QUARTERDECK_API_KEY: 'rotated'};
		const use = (id: string) => cli.run(['accounts', 'use', id, '--json'], {env});
		expect((await use('nowhere')).code).toBe(4);
		const apart = await use('new');
		expect(apart).toMatchObject({code: 0, stderr: ''});
		expect((await cli.run(['sessions', 'list'], {env})).stdout).not.toContain('session-a1');
		const used = await use(String(own?.id));
		expect(jsonLines(used.stdout)).toEqual([{id: own?.id, quarterdeck: {isUsed: true}}]);
		const [{id: left} = {}] = jsonLines(apart.stdout);
		expect(used.stderr).toBe(
			`quarterdeck: no key opens account ${left} any more; quarterdeck accounts use ${left} lets this key open it again\n`,
		);
		const listed = await cli.run(['sessions', 'list'], {env});
		expect(listed).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining('session-a1')});
	});

	test('of a profile is told once', async () => {
		const {a1, cli, home} = await setUp();
		writeProfiles(home, {own: a1});
		const list = () => cli.run(['sessions', 'list', '--profile', 'own']);
		await cli.run(['sessions', 'add', shared, '--profile', 'own']);
		a1.organization.keys.add('renewed');
		writeFileSync(join(home, '.config/quarterdeck/key-of-own'), 'renewed');
		expect(await list()).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(
				/^quarterdeck: profile own has a new key, which opens the same account as before/,
			),
		});
		expect(await list()).toMatchObject({code: 0, stderr: ''});
	});
});
