import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {
	fill,
	marks,
	posts,
	screenEnv,
	setUpPlaces as setUp,
	setUpUnclearKey,
	setUpWaiting,
	shared,
} from '../support/places.ts';
import {openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 120, rows: 34};
/** Commands that only show what is saved of the account. */
const savedDataCommands = [
	['computers', 'list'],
	['sessions', 'list'],
	['sessions', 'list', '--json'],
	['outbox', 'list'],
	['outbox', 'wait'],
	['search', 'secret'],
];

describe('what is kept of one account is not shown in another', () => {
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
		await terminal.exit();
		const own = openProgram([], {...env, ...a1.env}, size);
		await own.see(/quarterdeck +default · 127\.0\.0\.1:\d+ · a1/);
		await own.see('box-a1');
		own.press('q');
		await own.exit();
	});

	test('a refused key is reported by the screen and commands, not shown as an empty home', async () => {
		const {home, a1, cli} = await setUp();
		const env = {...a1.env, QUARTERDECK_API_KEY: 'mistyped'};
		const seeRefusal = async () => {
			const terminal = openProgram([], {...screenEnv(home), ...env}, size);
			await terminal.see('key refused');
			expect(terminal.screen()).not.toMatch(marks('a1'));
			terminal.press('q');
			await terminal.exit();
		};
		await seeRefusal();
		await fill(a1);
		await seeRefusal();
		for (const args of savedDataCommands) {
			const {code, stdout, stderr} = await cli.run(args, {env});
			expect({args, code, stdout}).toEqual({args, code: 3, stdout: ''});
			expect(stderr).toMatch(/^quarterdeck: the service refused this key \(401\): .*\n$/);
		}
	});

	test('usage leaves the screen once the role is refused', async () => {
		const {home, a1} = await setUp();
		await fill(a1);
		const terminal = openProgram(['--view', 'usage'], {...screenEnv(home), ...a1.env}, size);
		await terminal.see('a1-model');
		a1.organization.isMember = true;
		terminal.press('r');
		await terminal.see('managers only');
		await terminal.gone('a1-model');
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit();
	});
});

describe('nothing is posted to another account', () => {
	test('by opening the same session at another service, which shows and changes nothing of the first', async () => {
		const {home, a1, b, atA, atB, cli} = await setUpWaiting();
		const quit = async (terminal: Terminal) => {
			terminal.press('q');
			await terminal.see('Code 0');
			await terminal.exit();
		};
		const own = openProgram(['--session', shared], {...screenEnv(home), ...a1.env}, size);
		await own.see('common secret of a1');
		own.press('enter');
		own.type('draft of a1');
		await own.see('draft of a1');
		own.press('esc');
		await own.see('q quit');
		await quit(own);
		const before = posts(atA).length;
		const terminal = openProgram(['--session', shared], {...screenEnv(home), ...b.env}, size);
		await terminal.see('common secret of b');
		// What two reads in a row lack is taken for deleted.
		for (const _ of [1, 2]) {
			const reads = atB.requests.length;
			terminal.press('r');
			await expect.poll(() => atB.requests.length).toBeGreaterThan(reads);
		}
		expect(terminal.screen()).not.toMatch(/words of a1|draft of a1|secret of a1/);
		await quit(terminal);
		expect([posts(atA).length, posts(atB)]).toEqual([before, []]);
		expect((await a1.run('search', 'common', '--json')).stdout).toContain('common secret of a1');
		const drafts = accountsIn(cli.stateFolder).flatMap(({file}) => {
			const database = new DatabaseSync(join(cli.stateFolder, file), {readOnly: true});
			try {
				return database.prepare('SELECT text FROM drafts').all();
			} finally {
				database.close();
			}
		});
		expect(drafts).toEqual([{text: 'draft of a1'}]);
	});
});

describe('a new key', () => {
	test('every command and every start says that it is unclear whose a key is, until it is kept apart', async () => {
		const {a1, atA, cli, home} = await setUp();
		await a1.run('sessions', 'add', shared);
		a1.organization.isMember = true;
		a1.organization.sessions.clear();
		a1.organization.keys.add('rotated');
		const env = {...a1.env, QUARTERDECK_API_KEY: 'rotated'};
		const unclear = /^quarterdeck: it is unclear whether this key belongs to .* accounts keep-apart (\S+)\n$/;
		const first = await cli.run(['sessions', 'list'], {env});
		const [, own = ''] = unclear.exec(first.stderr) ?? [];
		expect(own).not.toBe('');
		const requests = atA.requests.length;
		for (const args of [
			['computers', 'list'],
			['outbox', 'list', '--json'],
		])
			expect(await cli.run(args, {env})).toMatchObject({code: 0, stderr: expect.stringMatching(unclear)});
		expect(atA.requests).toHaveLength(requests);
		const start = async (answer: string) => {
			const terminal = openProgram([], {...screenEnv(home), ...env}, size);
			await terminal.see('Is this the same organization?');
			await terminal.see(/│ {2}y yes/);
			await terminal.see('! It is unclear whether this key belongs to');
			terminal.press(answer);
			await terminal.gone('Is this the same organization?');
			return terminal;
		};
		const later = await start('\x1b');
		expect(later.screen()).toContain('! It is unclear whether');
		later.press('q');
		await later.exit();
		const apart = await start('n');
		await apart.gone('! It is unclear whether');
		apart.press('q');
		await apart.exit();
		expect((await cli.run(['sessions', 'list'], {env})).stderr).toBe('');
	});

	test('an open screen says no more that a key is unclear once a command has settled it', async () => {
		const {cli, home, env, own} = await setUpUnclearKey();
		const terminal = openProgram([], {...screenEnv(home), ...env}, size);
		await terminal.see('Is this the same organization?');
		terminal.press('esc');
		await terminal.gone('Is this the same organization?');
		await terminal.see('! It is unclear whether this key belongs to');
		await cli.run(['accounts', 'keep-apart', own], {env});
		await terminal.gone('! It is unclear whether');
		terminal.press('q');
		await terminal.exit();
	});

	test('is joined by answering the question on the screen', async () => {
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
		await terminal.exit();
	});

	test('is shown as being checked before anything else appears', async () => {
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
		await terminal.exit();
	});
});
