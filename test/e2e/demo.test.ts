import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {emptyHome, openProgram} from '../support/program.ts';

test('the demo fills every view, quits at once, and leaves nothing in the home', async () => {
	const env = emptyHome();
	const {see, press} = openProgram(['--demo', '--local'], env, {columns: 120, rows: 40});
	await see(/demo +! \d+ needs? you[\s\S]*asks · /);
	for (const [key, filled] of [
		['2', /UNREAD[\s\S]*asks +/],
		['3', /provisioning +data-eu/],
		['4', /\[credits\][\s\S]*claude-sonnet-4-5/],
		['5', /git\.example\.org\/ranking/],
		['6', /daniel\.novak/],
		['7', /mehmet\.yilmaz/],
		['8', /SessionStart +dotfiles/],
	] as const) {
		press(key);
		await see(filled);
	}
	press('7', 'x');
	await see(`in ${env.HOME}`.slice(0, 40));
	press('\x1b');
	await see('x export');
	press('q');
	await see('Code 0');
	expect(readdirSync(String(env.HOME)).filter(name => name !== 'run')).toEqual([]);
});
