import {expect, test} from 'vitest';
import {accountsIn} from '../support/account-files.ts';
import {filesHolding} from '../support/cli.ts';
import {setUpPlaces as setUp, shared, writeProfiles} from '../support/places.ts';
import {environmentIn, openProgram} from '../support/program.ts';

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
