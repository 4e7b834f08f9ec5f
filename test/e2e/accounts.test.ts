import {chmodSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {type Cli, filesHolding, jsonLines} from '../support/cli.ts';
import {dates, marks, type Place, posts, setUpPlaces as setUp, shared} from '../support/places.ts';
import {openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 120, rows: 34};
/** What a screen needs beside the service, over the same state folder as the commands. */
const screenEnv = (home: string) => ({
	PATH: process.env.PATH,
	HOME: home,
	XDG_RUNTIME_DIR: join(home, 'run'),
	TMPDIR: home,
	LANG: 'C.UTF-8',
	SHELL: '/bin/sh',
});

/** A profile of each place, with its key in a file. */
function writeProfiles(home: string, places: Readonly<Record<string, Place>>): void {
	const folder = join(home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const profiles = Object.entries(places).map(([name, {env}]) => {
		const keyFile = join(folder, `key-of-${name}`);
		writeFileSync(keyFile, env.QUARTERDECK_API_KEY ?? '', {mode: 0o600});
		return [name, {baseUrl: env.QUARTERDECK_BASE_URL, keyFile}];
	});
	writeFileSync(join(folder, 'config.json'), JSON.stringify({profiles: Object.fromEntries(profiles)}));
}

async function fill({organization: {id}, run}: Place): Promise<void> {
	expect((await run('computers', 'get', `computer-${id}`)).code).toBe(0);
	expect((await run('sessions', 'add', `session-${id}`)).code).toBe(0);
	for (const session of [`session-${id}`, shared])
		expect((await run('messages', session, '--all')).stdout).toContain(`secret of ${id}`);
	expect((await run('usage', 'activity', ...dates, '--csv')).stdout).toMatch(/700\d/);
}

async function everything({run}: Place): Promise<string> {
	const results = [
		await run('computers', 'list', '--json'),
		await run('sessions', 'list', '--json'),
		await run('search', 'secret', '--json'),
		await run('usage', 'activity', ...dates, '--json'),
	];
	return results.map(({stdout, stderr}) => stdout + stderr).join('');
}

function outboxes({stateFolder}: Cli): Record<string, unknown>[] {
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

	test('a session of the same id that is opened elsewhere leaves the first copy alone', async () => {
		const {home, a1, atB, b} = await setUp();
		await fill(a1);
		const terminal = openProgram(['--session', shared], {...screenEnv(home), ...b.env}, size);
		await terminal.see('common secret of b');
		// What two reads in a row lack is taken for deleted.
		for (const _ of [1, 2]) {
			const reads = atB.requests.length;
			terminal.press('r');
			await expect.poll(() => atB.requests.length).toBeGreaterThan(reads);
		}
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit;
		const found = await a1.run('search', 'common', '--json');
		expect(found.stdout).toContain('common secret of a1');
	});

	test('on the screen, which names the profile, the host and the organization', async () => {
		const {home, a1, a2, atA} = await setUp();
		await fill(a1);
		const env = {...screenEnv(home), ...a2.env};
		const terminal = openProgram([], env, size);
		await terminal.see('Is this the same organization?');
		await terminal.see(/│ {2}y yes/);
		terminal.press('n');
		await terminal.gone('Is this the same organization?');
		await terminal.see('Nothing here yet');
		expect(terminal.screen()).not.toMatch(marks('a1'));
		expect(terminal.row(0)).toContain(`default · ${new URL(atA.url).host}`);
		terminal.press('q');
		await terminal.exit;
		const own = openProgram([], {...env, ...a1.env}, size);
		await own.see(/quarterdeck +default · 127\.0\.0\.1:\d+ · a1/);
		await own.see('box-a1');
		own.press('q');
		await own.exit;
	});

	test('what was written for a session stays with its account', async () => {
		const {home, a1, b} = await setUp();
		const open = async ({env, organization: {id}}: Place) => {
			const terminal = openProgram(['--session', shared], {...screenEnv(home), ...env}, size);
			await terminal.see(`common secret of ${id}`);
			return terminal;
		};
		const quit = async (terminal: Terminal) => {
			terminal.press('q');
			await terminal.see('Code 0');
			await terminal.exit;
		};
		const writing = await open(a1);
		writing.press('enter');
		writing.type('draft of a1');
		await writing.see('draft of a1');
		writing.press('esc');
		await writing.see('q quit');
		await quit(writing);
		const other = await open(b);
		other.press('enter');
		await other.see('Enter send');
		expect(other.screen()).not.toContain('draft of a1');
		other.press('esc');
		await other.see('q quit');
		await quit(other);
		const again = await open(a1);
		await again.see('draft of a1');
		await quit(again);
	});

	test('a key that the service refuses is told on the screen and by the commands, not shown as an empty home', async () => {
		const {home, a1, cli} = await setUp();
		const env = {...a1.env, QUARTERDECK_API_KEY: 'mistyped'};
		const seeRefusal = async () => {
			const terminal = openProgram([], {...screenEnv(home), ...env}, size);
			await terminal.see('key refused');
			expect(terminal.screen()).not.toMatch(marks('a1'));
			terminal.press('q');
			await terminal.exit;
		};
		await seeRefusal();
		await fill(a1);
		await seeRefusal();
		const listed = await cli.run(['sessions', 'list'], {env});
		expect(listed.stdout).not.toMatch(marks('a1'));
		expect(listed.stderr).toContain('the service refused this key (401)');
	});

	test('usage: days that are kept for good are read again with the key of another account', async () => {
		const {a1, b, atB} = await setUp();
		await fill(a1);
		const {stdout} = await b.run('usage', 'activity', ...dates);
		expect(stdout).toContain('7,002');
		expect(stdout).not.toContain('7,000');
		expect(atB.requests.some(({path}) => path.startsWith('/api/v1/analytics/'))).toBe(true);
	});

	test('usage: nothing with a wrong key', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		const env = {...a1.env, QUARTERDECK_API_KEY: 'mistyped'};
		const wrong = await cli.run(['usage', 'activity', ...dates], {env});
		expect(wrong).toMatchObject({code: 3, stdout: ''});
	});

	test('usage: nothing under a refusal', async () => {
		const {a1, cli} = await setUp();
		await fill(a1);
		a1.organization.isMember = true;
		expect(await a1.run('usage', 'activity', ...dates)).toMatchObject({code: 3, stdout: ''});
		a1.organization.isMember = false;
		expect((await a1.run('usage', 'activity', ...dates)).stdout).toContain('7,000');
		// By its fingerprint a key can't be found again.
		expect(filesHolding(cli.stateFolder, 'key-a1')).toEqual([]);
	});

	test("hook events are the machine's: read by one profile, they are there for every other", async () => {
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

describe('nothing is posted across', () => {
	/** A message of a1's that waits, and one whose answer was lost, both to the session of every service. */
	async function withWaiting() {
		const all = await setUp();
		const {a1, atA} = all;
		await fill(a1);
		atA.faults.push('lost');
		expect((await a1.run('send', shared, 'lost words of a1')).code).toBe(5);
		a1.organization.keys.clear();
		expect((await a1.run('send', 'session-a1', 'waiting words of a1')).code).toBe(3);
		a1.organization.keys.add('key-a1');
		return {...all, before: posts(atA).length};
	}

	test.each(['b', 'a2'] as const)('by commands of %s, nor is it looked for there', async other => {
		const {a1, atA, before, cli, ...places} = await withWaiting();
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

	test.each(['b', 'a2'] as const)('by opening the screen of %s', async other => {
		const {home, atA, ...places} = await withWaiting();
		const place = places[other];
		const service = other === 'b' ? places.atB : atA;
		// Whose its key is has been looked into: the screen doesn't ask.
		await place.run('computers', 'list');
		const from = service.requests.length;
		const env = {...screenEnv(home), ...place.env};
		const terminal = openProgram(['--session', shared], env, size);
		await terminal.see(`common secret of ${place.organization.id}`);
		const shown = terminal.screen();
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit;
		expect(service.requests.slice(from).filter(({method}) => method === 'POST')).toEqual([]);
		expect(shown).not.toContain('words of a1');
	});
});

describe('a new key', () => {
	test.each(['users', 'ids'])(
		'of the same organization is known by its %s, and all is there',
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

	test('a token is of the organization that it names, and no token is kept', async () => {
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

	test('opens nothing of an account whose service is down, which its own key still does', async () => {
		const {a1, atA, cli} = await setUp();
		await fill(a1);
		atA.faults.push('down');
		expect((await a1.run('send', shared, 'kept words', '--no-wait')).code).toBe(6);
		atA.close();
		expect((await a1.run('outbox', 'list')).stdout).toContain('kept words');
		const env = {...a1.env, QUARTERDECK_API_KEY: 'another'};
		expect((await cli.run(['outbox', 'list'], {env})).stdout).not.toContain('kept words');
	});

	test('in the key file is read again by itself once the service refuses the old one', async () => {
		const {home, a1, atA} = await setUp();
		writeProfiles(home, {default: a1});
		const terminal = openProgram(['--session', shared], screenEnv(home), size);
		await terminal.see('common secret of a1');
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'renewed');
		a1.organization.keys.clear();
		a1.organization.keys.add('renewed');
		terminal.press('r');
		await expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true);
		await terminal.see('● connected');
		expect(terminal.screen()).not.toContain('refused');
		terminal.press('q');
		await terminal.exit;
	});

	test('in the key file is read again while its user pauses in the composer, who then goes on', async () => {
		const {home, a1, atA} = await setUp();
		writeProfiles(home, {default: a1});
		const terminal = openProgram(['--session', shared], screenEnv(home), size);
		await terminal.see('common secret of a1');
		terminal.press('enter');
		await terminal.see('Enter send');
		terminal.type('half a thought');
		await terminal.see('> half a thought');
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'renewed');
		a1.organization.keys.clear();
		a1.organization.keys.add('renewed');
		await terminal.see('key refused');
		await expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true);
		await terminal.see('● connected');
		await terminal.see('Enter send');
		terminal.type(', and the rest');
		await terminal.see('> half a thought, and the rest');
		terminal.press('esc');
		await terminal.see('q quit');
		terminal.press('q');
		await terminal.exit;
	});

	test('in the key file leaves the focus where its user went until the account was known', async () => {
		const {home, a1, atA} = await setUp();
		writeProfiles(home, {default: a1});
		const terminal = openProgram(['--session', shared], screenEnv(home), size);
		await terminal.see('common secret of a1');
		terminal.press('enter');
		await terminal.see('Enter send');
		terminal.type('half a thought');
		await terminal.see('> half a thought');
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'renewed');
		a1.organization.keys.clear();
		a1.organization.keys.add('renewed');
		await terminal.see('key refused');
		const answers = Promise.withResolvers<void>();
		atA.held = answers.promise;
		await expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true);
		terminal.type(' more');
		await terminal.see('> half a thought more');
		terminal.press('esc');
		await terminal.gone('Enter send');
		answers.resolve();
		await terminal.see('● connected');
		await terminal.see('> half a thought more');
		expect(terminal.screen()).not.toContain('Enter send');
		expect(posts(atA)).toEqual([]);
		terminal.press('q');
		await terminal.exit;
	});

	test('in the key file is read again only once its user is back from the editor, whose text stays', async () => {
		const {home, a1, atA} = await setUp();
		writeProfiles(home, {default: a1});
		const editor = join(home, 'edit.sh');
		// Open for longer than the pause after which the key is read.
		writeFileSync(editor, `#!/bin/sh\nsleep 5\nprintf ', and more' >> "$1"\n`, {mode: 0o755});
		const env = {...screenEnv(home), EDITOR: editor};
		const terminal = openProgram(['--session', shared], env, size);
		await terminal.see('common secret of a1');
		terminal.press('enter');
		await terminal.see('Enter send');
		terminal.type('half a thought');
		await terminal.see('> half a thought');
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'renewed');
		a1.organization.keys.clear();
		a1.organization.keys.add('renewed');
		await terminal.see('key refused');
		terminal.press('ctrl+g');
		await terminal.see('> half a thought, and more');
		await expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true);
		await terminal.see('● connected');
		await terminal.see('> half a thought, and more');
		terminal.press('esc');
		await terminal.see('q quit');
		terminal.press('q');
		await terminal.exit;
	});

	test('of another account in the key file says what stays with the first one', async () => {
		const {home, a1, a2} = await setUp();
		await fill(a1);
		await fill(a2);
		writeProfiles(home, {default: a1});
		a1.organization.keys.clear();
		expect((await a1.run('send', shared, 'unsent words of a1')).code).toBe(3);
		const terminal = openProgram(['--session', shared], screenEnv(home), size);
		await terminal.see('key refused');
		writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'key-a2');
		terminal.press('r');
		await terminal.see('common secret of a2');
		await terminal.see(/1 unsent message stays with account [0-9a-f]{8}, the old key's/);
		terminal.press('q');
		await terminal.exit;
	});

	test('in a list has the profile that opened it last', async () => {
		const {home, cli, a1} = await setUp();
		writeProfiles(home, {first: a1, second: a1});
		for (const name of ['first', 'second'])
			expect((await cli.run(['sessions', 'list', '--profile', name])).code).toBe(0);
		const listed = jsonLines((await cli.run(['accounts', 'list', '--json'])).stdout);
		expect(listed).toMatchObject([{quarterdeck: {profile: 'second'}}]);
	});

	test('in a list for a terminal keeps its id and what is unsent, and no line wraps', async () => {
		const {home, cli, a1, b} = await setUp();
		const [first, second] = ['a-profile-whose-name-takes-most-of-a-row-of-a-terminal', 'other'] as const;
		writeProfiles(home, {[first]: a1, [second]: b});
		for (const name of [first, second])
			expect((await cli.run(['sessions', 'list', '--profile', name])).code).toBe(0);
		const ids = accountsIn(cli.stateFolder).map(({id}) => id);
		const terminal = openProgram(['accounts', 'list'], screenEnv(home), {columns: 80, rows: 24});
		await terminal.see('Code 0');
		const rows = terminal.screen().split('\n');
		const heading = rows.findIndex(row => row.startsWith('ID'));
		expect(rows[heading]).toMatch(/^ID +SERVICE +PROFILE +DRAFTS +UNSENT/);
		for (const row of [1, 2]) expect(ids).toContain(rows[heading + row]?.split(' ')[0]);
		expect(rows[heading + 3]).toMatch(/^After/);
	});

	test('without evidence is kept apart and says so; a join loses nothing that was typed', async () => {
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
		expect((await cli.run(['sessions', 'list'], {env})).stderr).toBe('');
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

	test('joined by the question on the screen', async () => {
		const {a1, home} = await setUp();
		await a1.run('sessions', 'add', 'session-a1');
		a1.organization.keys.add('rotated');
		const env = {...screenEnv(home), ...a1.env, QUARTERDECK_API_KEY: 'rotated'};
		const terminal = openProgram([], env, size);
		await terminal.see('Is this the same organization?');
		await terminal.see(/│ {2}y yes/);
		expect(terminal.screen()).not.toContain('session-a1');
		terminal.press('y');
		await terminal.see('Accounts joined');
		await terminal.see('session-a1');
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit;
	});

	test('says on the screen that it is looked into, before anything is shown', async () => {
		const {a1, a2, atA, home} = await setUp();
		await fill(a1);
		const answer = Promise.withResolvers<void>();
		atA.held = answer.promise;
		const env = {...screenEnv(home), ...a2.env};
		const terminal = openProgram([], env, size);
		await terminal.see('Checking which account this key belongs to');
		expect(terminal.screen()).not.toMatch(marks('a1'));
		answer.resolve();
		await terminal.see('Is this the same organization?');
		await terminal.see(/│ {2}y yes/);
		terminal.press('n');
		await terminal.gone('Is this the same organization?');
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit;
	});
});

describe('accounts', () => {
	test('are forgotten with their files, messages that were not sent only when told so', async () => {
		const {a1, atA, cli} = await setUp();
		atA.faults.push('down');
		await a1.run('send', shared, 'forgettable', '--no-wait');
		const [account] = accountsIn(cli.stateFolder);
		const forget = (...flags: string[]) => a1.run('accounts', 'forget', account?.id ?? '', ...flags);
		const refused = await forget('--yes');
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('--discard-unsent');
		expect((await forget('--discard-unsent')).code).toBe(2);
		expect((await forget('--discard-unsent', '--yes')).code).toBe(0);
		expect(accountsIn(cli.stateFolder)).toEqual([]);
		expect(filesHolding(cli.stateFolder, 'forgettable')).toEqual([]);
		expect((await forget('--yes')).code).toBe(4);
	});
});
