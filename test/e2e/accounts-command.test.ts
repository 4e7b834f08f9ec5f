import {expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {filesHolding} from '../support/cli.ts';
import {setUpPlaces as setUp, shared, writeProfiles} from '../support/places.ts';
import {environmentIn, openProgram} from '../support/program.ts';

test('the list in a terminal keeps the ids and the unsent counts, and no line wraps', async () => {
	const {home, cli, a1, b} = await setUp();
	const [first, second] = ['a-profile-whose-name-takes-most-of-a-row-of-a-terminal', 'other'] as const;
	writeProfiles(home, {[first]: a1, [second]: b});
	for (const name of [first, second])
		expect((await cli.run(['sessions', 'add', shared, '--profile', name])).code).toBe(0);
	const ids = accountsIn(cli.stateFolder).map(({id}) => id);
	const terminal = openProgram(['accounts', 'list'], environmentIn(home), {columns: 80, rows: 24});
	await terminal.see('Code 0');
	const rows = terminal.screen().split('\n');
	const heading = rows.findIndex(row => row.startsWith('ID'));
	expect(rows[heading]).toMatch(/^ID +SERVICE +PROFILE +DRAFTS +UNSENT/);
	for (const row of [1, 2]) expect(ids).toContain(rows[heading + row]?.split(' ')[0]);
	expect(rows[heading + 3]).toMatch(/^After/);
});

test('an open screen does not bring back what was forgotten', async () => {
	const {a1, cli, home} = await setUp();
	writeProfiles(home, {default: a1});
	const terminal = openProgram(['--session', shared], environmentIn(home), {columns: 120, rows: 34});
	await terminal.see('common secret of a1');
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.type('half a draft');
	await expect.poll(() => filesHolding(cli.stateFolder, 'half a draft')).not.toEqual([]);
	const [account] = accountsIn(cli.stateFolder);
	expect((await a1.run('accounts', 'forget', account?.id ?? '', '--yes')).code).toBe(0);
	terminal.type(', and more');
	await terminal.see('was forgotten');
	expect(filesHolding(cli.stateFolder, 'secret of a1')).toEqual([]);
	expect(filesHolding(cli.stateFolder, 'half a draft')).toEqual([]);
	terminal.kill();
	await terminal.exit();
});
