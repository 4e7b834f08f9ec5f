import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {emptyHome, openProgram} from '../support/program.ts';

/** The first reads of forty sessions, and of 84 days, on a busy machine. */
const patient = {within: 60_000};

test('the demo fills every view, quits at once, and leaves nothing in the home', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--demo', '--local'], env, {columns: 120, rows: 40});
	const {see, press} = terminal;
	await see(/demo +! \d+ need you[\s\S]*◆ Retry webhooks[\s\S]*asks · Edit/, patient);

	for (const [key, filled] of [
		['2', /UNREAD[\s\S]*Retry webhooks/],
		['3', /provisioning +data-eu/],
		['4', /\[credits\][\s\S]*claude-sonnet-4-5/],
		['5', /git\.example\.org\/ranking/],
		['6', /daniel\.novak/],
		['7', /mehmet\.yilmaz/],
		['8', /SessionStart +dotfiles/],
	] as const) {
		press(key);
		await see(filled, patient);
	}
	press('q');
	await see('Code 0', patient);
	expect(readdirSync(String(env.HOME)).filter(name => name !== 'run')).toEqual([]);
});

test('a command has no demo, and says so', async () => {
	const terminal = openProgram(['sessions', 'list', '--demo'], emptyHome(), {columns: 120, rows: 10});
	await terminal.see('unknown flag --demo');
	await terminal.see('Code 2');
});
