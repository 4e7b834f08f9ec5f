import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {emptyHome, openProgram, settingsAround} from '../support/program.ts';

const size = {columns: 120, rows: 40};

function configure(home: string | undefined, value: unknown): void {
	const file = join(home ?? '', '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, JSON.stringify(value));
}

test("the user's keys apply everywhere: footer, dispatch, help and palette", async () => {
	const env = emptyHome();
	const keys = {
		'new-computer': 'ctrl+o',
		palette: [';', 'F2'],
		quit: ['ctrl+q', 'f12'],
		help: 'f1',
	};
	configure(env.HOME, {keys});
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/Ctrl\+O new computer/);
	await terminal.see(/F1 keys {3}Ctrl\+Q quit/);
	// The old keys do nothing, the new ones do.
	terminal.press('N', 'q', '?');
	terminal.press('ctrl+o');
	await terminal.see('New computer');
	terminal.press('esc');
	await terminal.gone('New computer ─');
	// F1 as terminals send it.
	terminal.type('\x1bOP');
	await terminal.see('type to search');
	terminal.type('ctrl+o');
	await terminal.see(/Ctrl\+O\s+New computer/);
	await terminal.see('custom key');
	terminal.press('esc');
	await terminal.gone('─ Keys ─');
	terminal.type('\x1b[12~');
	await terminal.see('Commands');
	terminal.type('new comp');
	await terminal.see(/New computer\s+Ctrl\+O/);
	terminal.press('enter');
	await terminal.see('New computer ─');
	terminal.press('esc');
	await terminal.gone('New computer ─');
	terminal.type('\x1b[24~');
	await terminal.see('Code 0');
	await terminal.exit();

	// What is wrong is told, and doesn't prevent the start. The palette remembers what was chosen last.
	configure(env.HOME, {theme: 'blue', keys: {...keys, archvie: 'ctrl+x'}});
	const again = openProgram(['--local'], env, size);
	await again.see('2 mistakes in the configuration: 8 lists them');
	again.press(';');
	await again.see(/▌ New computer\s+Ctrl\+O/);
	again.press('esc');
	await again.gone('Commands');
	again.press('ctrl+q');
	await again.see('Code 0');
	await again.exit();
	expect(settingsAround(again).after).toBe(settingsAround(again).before);
}, 60_000);
