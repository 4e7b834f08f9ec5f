import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {emptyHome, openProgram} from '../support/program.ts';

/** The first reads of forty sessions, on a busy machine. */
const patient = {within: 60_000};

test('the demo answers, starts sessions and quits at once, and leaves nothing in the home', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--demo', '--local'], env, {columns: 120, rows: 40});
	const {see, press, type} = terminal;
	await see(/demo +! \d+ need you[\s\S]*◆ Retry webhooks[\s\S]*asks · Edit/, patient);

	press('g');
	await see(/─ Retry webhooks[\s\S]*Preview/);
	press('!');
	await see('Answer request · Edit · Retry webhooks');
	await see('y allow once');
	press('y');
	await see('Allowed once');
	await see(/✓ ◆ Retry webhooks/, patient);
	press('n');
	await see('What should it do?');
	type('Which tests are slow?');
	press('enter');
	await see('npm test', patient);

	press('esc');
	await see('Esc sessions');
	press('esc');
	await see('Enter open');
	press('7');
	await see(/› Users {2}demo[\s\S]*mehmet\.yilmaz/);
	press('q');
	await see('Code 0', patient);
	expect(readdirSync(String(env.HOME)).filter(name => name !== 'run')).toEqual([]);
});

test('a command has no demo, and says so', async () => {
	const terminal = openProgram(['sessions', 'list', '--demo'], emptyHome(), {columns: 120, rows: 10});
	await terminal.see('unknown flag --demo');
	await terminal.see('Code 2');
});
