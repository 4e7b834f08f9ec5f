import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {emptyHome, openProgram} from '../support/program.ts';

/** The first reads of forty sessions, on a busy machine. */
const patient = {within: 60_000};

test('the demo answers, starts sessions and quits at once, and leaves nothing in the home', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--demo', '--local'], env, {columns: 120, rows: 40});
	const {see, press, type} = terminal;
	await see(/demo +! 10 need you/, patient);

	press('/');
	type('staging cluster');
	await see(/! Drop the unused/);
	press('enter', '!');
	await see('terraform -chdir=eu-west-3 apply drop.plan');
	press('y');
	await see('9 need you', patient);
	press('esc', 'n');
	await see('Message');
	type('Which tests are slow?');
	press('enter');
	await see('npm test', patient);

	for (const key of ['4', '5', '6', '7', '8']) {
		press('esc', key);
		await see(/^ ‹? ?quarterdeck.* demo|‹.* demo/m);
	}
	press('7');
	await see('Mehmet');
	press('q');
	await see('Code 0', patient);
	expect(readdirSync(String(env.HOME)).filter(name => name !== 'run')).toEqual([]);
});

test('a command has no demo, and says so', async () => {
	const terminal = openProgram(['sessions', 'list', '--demo'], emptyHome(), {columns: 120, rows: 10});
	await terminal.see('unknown flag --demo');
	await terminal.see('Code 2');
});
