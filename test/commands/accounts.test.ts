import {chmodSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {filesHolding, jsonLines} from '../support/cli.ts';
import type {Commands} from '../support/commands.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {
	dates,
	fill,
	marks,
	type Place,
	posts,
	setUpPlaces as setUp,
	setUpUnclearKey,
	setUpWaiting,
	shared,
	writeProfiles,
} from '../support/places.ts';
import {json} from '../support/replies.ts';

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

	test('a refused key: what it has here is listed and pruned, and the exit code says whose it is not', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		const env = {...a1.env, QUARTERDECK_API_KEY: 'mistyped'};
		const [own] = accountsIn(cli.stateFolder);
		for (const args of [['storage'], ['storage', '--json'], ['storage', 'prune', '--yes']]) {
			const {code, stdout, stderr} = await cli.run(args, {env});
			expect({args, code}).toEqual({args, code: 3});
			expect(stderr).toMatch(/^quarterdeck: the service refused this key \(401\): .*\n$/);
			expect(stdout).not.toMatch(marks('a1'));
		}
		expect((await a1.run('search', 'secret')).stdout).toContain('secret of a1');
		for (const args of [['list'], ['forget', String(own?.id), '--yes']])
			expect((await cli.run(['accounts', ...args], {env})).code).toBe(0);
	});

	test.each([
		['no answer', "The service can't be reached at [^ ]+"],
		['a failure', 'The service failed \\(500\\): no disk \\(request req-5\\)\\.'],
	])(
		'with %s about a new key, commands that list what is saved list nothing, fail and say why',
		async (what, why) => {
			const {a1, cli, atA} = await setUp();
			await fill(a1);
			await atA.close();
			if (what === 'a failure') {
				const failing = await startFaultServer(Number(new URL(atA.url).port));
				onTestFinished(() => failing.close());
				failing.otherwise(json({error: 'no disk', requestId: 'req-5'}, 500));
			}
			const env = {...a1.env, QUARTERDECK_API_KEY: 'key-new'};
			for (const args of savedDataCommands) {
				const {code, stdout, stderr} = await cli.run(args, {env});
				expect({args, code, stdout}).toEqual({args, code: 1, stdout: ''});
				expect(stderr).toMatch(
					new RegExp(`^quarterdeck: this key is new on this machine, .*: ${why} .*\\n$`),
				);
			}
		},
	);

	test('usage: days stored for good are read again with the key of another account', async () => {
		const {a1, b, atB} = await setUp();
		await fill(a1);
		const {stdout} = await b.run('usage', 'activity', ...dates);
		expect(stdout).toContain('7,002');
		expect(stdout).not.toContain('7,000');
		expect(atB.requests.some(({path}) => path.startsWith('/api/v1/analytics/'))).toBe(true);
	});

	test('usage: nothing is shown with a wrong key, nor with one that the service takes no more', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		const env = {...a1.env, QUARTERDECK_API_KEY: 'mistyped'};
		const wrong = await cli.run(['usage', 'activity', ...dates], {env});
		expect(wrong).toMatchObject({code: 3, stdout: ''});
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
		await place.run('computers', 'list');
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
	test.each(['users', 'ids'])(
		'of the same organization is recognized by its %s, and everything is there',
		async evidence => {
			const {a1, atA, cli} = await setUp();
			await fill(a1);
			await a1.run('users');
			a1.organization.isMember = evidence === 'ids';
			a1.organization.keys.clear();
			a1.organization.keys.add('rotated');
			const from = atA.requests.length;
			const env = {...a1.env, QUARTERDECK_API_KEY: 'rotated'};
			const listed = await cli.run(['sessions', 'list'], {env});
			expect(listed).toMatchObject({code: 0, stderr: ''});
			expect(listed.stdout).toContain('session-a1');
			expect(atA.requests.slice(from).every(({method}) => method === 'GET')).toBe(true);
			expect(atA.requests.length - from).toBeLessThanOrEqual(18);
			expect(accountsIn(cli.stateFolder)).toHaveLength(1);
			// From now on nobody is asked.
			const asked = atA.requests.length;
			expect((await cli.run(['sessions', 'list'], {env})).stdout).toContain('session-a1');
			expect(atA.requests).toHaveLength(asked);
		},
	);

	test("that is a token belongs to the organization it names, and isn't stored", async () => {
		const {a1, a2, atA, cli} = await setUp();
		const token = (claims: object) =>
			`eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({email: 'me@acme.example', ...claims})).toString('base64url')}.c2ln`;
		const [first, second, other] = [
			token({org_id: 'org-1', iat: 1}),
			token({org_id: 'org-1', iat: 2}),
			token({org_id: 'org-2', iat: 3}),
		] as const;
		a1.organization.keys.add(first).add(second);
		a2.organization.keys.add(other);
		const as = (key: string, ...args: string[]) =>
			cli.run(args, {env: {...a1.env, QUARTERDECK_API_KEY: key}});
		await as(first, 'messages', shared);
		const asked = atA.requests.length;
		expect(await as(second, 'search', 'secret')).toMatchObject({code: 0, stderr: ''});
		expect((await as(other, 'search', 'secret')).code).toBe(4);
		expect(atA.requests).toHaveLength(asked);
		for (const part of [first.split('.')[1] ?? '', 'me@acme.example'])
			expect(filesHolding(cli.stateFolder, part)).toEqual([]);
		const listed = jsonLines((await as(first, 'accounts', 'list', '--json')).stdout);
		expect(listed.map(({quarterdeck}) => quarterdeck)).toMatchObject([
			{organization: 'org-2'},
			{organization: 'org-1'},
		]);
	});

	test('opens nothing of an account whose service is down, while its own key still does', async () => {
		const {a1, atA, cli} = await setUp();
		await fill(a1);
		atA.faults.push('down');
		expect((await a1.run('send', shared, 'kept words', '--no-wait')).code).toBe(6);
		atA.close();
		expect((await a1.run('outbox', 'list')).stdout).toContain('kept words');
		const env = {...a1.env, QUARTERDECK_API_KEY: 'another'};
		expect((await cli.run(['outbox', 'list'], {env})).stdout).not.toContain('kept words');
	});

	test('without evidence gets its own account and says so; joining loses nothing that was typed', async () => {
		const {a1, atA, cli} = await setUp();
		await fill(a1);
		a1.organization.isMember = true;
		atA.faults.push('down');
		// What is kept here is gone there: nothing tells whose the new key is.
		a1.organization.sessions.clear();
		a1.organization.computers.clear();
		a1.organization.keys.add('rotated');
		const env = {...a1.env, QUARTERDECK_API_KEY: 'rotated'};
		const first = await cli.run(['sessions', 'add', 'session-new'], {env});
		const command = /quarterdeck accounts join (\S+) (\S+)/.exec(first.stderr);
		expect(command).not.toBeNull();
		a1.organization.sessions.set('session-new', []);
		expect((await cli.run(['send', 'session-new', 'typed before', '--no-wait'], {env})).code).toBe(6);
		const [, into = '', from = ''] = command ?? [];
		const joined = await cli.run(['accounts', 'join', into, from, '--json'], {env});
		expect(jsonLines(joined.stdout)).toMatchObject([
			{id: into, quarterdeck: {from, carried: {messages: 1, sessions: 1}}},
		]);
		for (const key of ['rotated', 'key-a1']) {
			const listed = await cli.run(['sessions', 'list'], {env: {...env, QUARTERDECK_API_KEY: key}});
			expect(listed).toMatchObject({code: 0, stderr: ''});
			for (const id of ['session-a1', 'session-new']) expect(listed.stdout).toContain(id);
		}
		expect(outboxes(cli)).toHaveLength(2);
		expect((await cli.run(['accounts', 'join', into, from], {env})).code).toBe(4);
	});

	test('an account that may be the same as another is kept apart, and an unknown one is not found', async () => {
		const {cli, env, own} = await setUpUnclearKey();
		expect((await cli.run(['accounts', 'keep-apart', 'nowhere'], {env})).code).toBe(4);
		const kept = await cli.run(['accounts', 'keep-apart', own, '--json'], {env});
		expect(kept).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(kept.stdout)).toEqual([{id: own, quarterdeck: {isKeptApart: true}}]);
		expect((await cli.run(['sessions', 'list'], {env})).stderr).toBe('');
	});
});
