import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {emptyHome, openProgram} from '../support/program.ts';

test('words being looked for are found when they arrive, while the reader stays in place', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 30});
	const {press, see, gone, type} = terminal;
	await see(/✓ active/);
	press('s');
	await see('A command for the shell');
	type('mkfifo ~/gate; seq 100 140; cat ~/gate');
	press('enter');
	await see(/ 139 /);
	press('esc');
	await see('Enter write');

	press('/');
	await see('matches word beginnings');
	type('quartz');
	await see(/quartz +not found/);
	press('enter');
	await see('not found yet · Esc');

	// The answer goes on to grow; a quiet session is asked seldom, but at once when the user wants to know.
	const gate = await open(join(`${env.HOME}`, 'gate'), 'w');
	await gate.write('a quartz\n');
	press('r');
	await see(/quartz +1 found · n N/);
	press('n');
	await see(/quartz +message 1 of 1/);
	const row = terminal
		.screen()
		.split('\n')
		.findIndex(line => /▌ +a quartz +│?$/.test(line));
	await gate.write('two: quartz and Quartzite\n');
	press('r');
	await see(/quartz +message 1 of 1 · match 1 of 3/);
	expect(terminal.row(row)).toMatch(/▌ +a quartz +│?$/);
	press('n');
	await see('match 2 of 3');
	await gate.close();

	// The word is in a message of one's own as well; what is read stays.
	press('space');
	await see('A command for the shell');
	type('echo QUARTZ');
	press('enter');
	await see(/quartz +message 1 of 3 · match 2 of 3/);
	press('esc');
	await see('n next');
	press('N', 'N');
	await see(/quartz +message 3 of 3/);
	press('esc');
	await gone('of 3');
	press('q');
	await see('Code 0');
	await terminal.exit();
}, 120_000);
