import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isAlive} from '../support/is-alive.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 36};

test('quitting asks only if agents would end with the program', async () => {
	const env = emptyHome();
	const pidFile = join(env.HOME ?? '', 'agent.pid');
	const owner = openProgram(['--local'], env, size);
	await owner.see(/3 of 3 steps/);
	owner.press('s');
	await owner.see('A command for the shell');
	owner.type('echo $$ > ~/agent.pid; echo begun; sleep 600');
	await owner.see('sleep 600');
	owner.press('enter');
	await owner.see('1 working');
	await owner.see(/agent \d\d:\d\d [^\n]*\n[^\n]* begun/);

	// Another program over the same service ends nothing.
	const other = openProgram(['--local'], env, size);
	await other.see('echo $$ > ~/agent');
	other.press('q');
	await other.see('Code 0');
	await other.exit();

	owner.press('esc');
	await owner.see('Enter write');
	owner.press('q');
	await owner.see('Quit and end 1 agent?');
	await owner.see('It ends with this program');
	owner.press('n');
	await owner.gone('Quit and end');

	const third = openProgram(['--local'], env, size);
	await third.see('echo $$ > ~/agent');
	third.press('enter');
	await third.see('Enter write');
	third.press('esc');
	await third.see('Enter open');
	owner.press('q');
	await owner.see('Quit and end 1 agent?');
	owner.press('y');
	await owner.see('Code 0');
	await owner.exit();
	expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);

	// The one that is still open runs the service now, and tells what became of the agent.
	await third.see('the service now runs here');
	await third.see('[interrupted: you quit Quarterdeck]');
	await third.see('failed');
	third.press('enter', 'enter');
	await third.see('Enter send');
	third.type('echo second $((2 + 2))');
	await third.see('2 + 2');
	third.press('enter');
	await third.see('second 4');
	third.press('esc');
	await third.see('Enter write');
	third.press('q');
	await third.see('Code 0');
	await third.exit();
}, 90_000);
