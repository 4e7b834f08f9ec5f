import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {isAlive} from '../support/is-alive.ts';
import {childOf, emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 36};

test('agents go on when the screen quits or is killed, and the next screen has their answer', async () => {
	const env = emptyHome();
	const pidFile = join(env.HOME ?? '', 'agent.pid');
	const first = openProgram(['--local'], env, size);
	await first.see(/3 of 3 steps/);
	first.press('n');
	await first.see('A command for the shell');
	first.type('echo $$ > ~/agent.pid; echo begun; until [ -e ~/go ]; do sleep 0.05; done; echo $((40 + 2))');
	await first.see('40 + 2');
	first.press('enter');
	await first.see('1 working');
	await first.see(/agent \d\d:\d\d [^\n]*\n[^\n]* begun/);
	first.press('esc');
	await first.see('Enter write');
	first.press('q');
	await first.see("1 agent hasn't finished");
	first.press('enter');
	await first.see('Code 0');
	await first.exit();
	const agent = Number(readFileSync(pidFile, 'utf8'));
	expect(isAlive(agent)).toBe(true);

	const second = openProgram(['--local'], env, size);
	await second.see('1 working');
	process.kill(childOf(second.pid), 'SIGKILL');
	await second.see('Code 137');
	await second.exit();
	expect(isAlive(agent)).toBe(true);

	const third = openProgram(['--local'], env, size);
	await third.see('1 working');
	writeFileSync(join(env.HOME ?? '', 'go'), '');
	await eventually(() => expect(isAlive(agent)).toBe(false));
	await third.see('42');
	third.press('q');
	await third.see('Code 0');
	await third.exit();
}, 90_000);
