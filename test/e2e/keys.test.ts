import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {cliAt, jsonLines} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {emptyHome, openProgram, settingsAround} from '../support/program.ts';

const size = {columns: 120, rows: 40};

function configure(home: string | undefined, value: unknown): void {
	const file = join(home ?? '', '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, JSON.stringify(value));
}

test("the user's keys apply everywhere: footer, dispatch, help and palette", async () => {
	const env = emptyHome();
	configure(env.HOME, {
		keys: {'new-computer': 'ctrl+o', palette: [';', 'F2'], quit: ['ctrl+q', 'f12'], help: 'f1'},
	});
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
}, 60_000);

test("invalid key settings are reported by the screen and the doctor, and don't prevent the start", async () => {
	const env = emptyHome();
	configure(env.HOME, {keys: {filter: 'n', archvie: 'ctrl+x', interrupt: 'ctrl+y'}});
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/keys in the configuration: there is no action archvie: archive is the nearest/);
	terminal.press('n');
	await terminal.see(/ \/ .*hidden/);
	terminal.press('esc');
	await terminal.gone(/ \/ .*hidden/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();

	const cli = cliAt(env.HOME ?? '');
	const doctor = await cli.run(['doctor', '--local']);
	expect(doctor.stdout).toMatch(/keys +warning +there is no action archvie/);
	expect(doctor.stdout).toMatch(
		/n is assigned to filter and new-session in Sessions: filter takes precedence/,
	);
	expect(doctor.stdout).toMatch(/interrupt: its key can't be changed/);

	const keys = await cli.run(['keys', '--json']);
	expect(keys.code).toBe(0);
	expect(keys.stderr).toContain('keys: there is no action archvie: archive is the nearest');
	const rows = jsonLines(keys.stdout) as {
		action: string;
		keys: string[];
		contexts: string[];
		isChosen: boolean;
	}[];
	expect(rows.find(row => row.action === 'filter')).toMatchObject({keys: ['n'], isChosen: true});
	expect(rows.find(row => row.action === 'interrupt')).toMatchObject({keys: ['ctrl+c'], isChosen: false});
}, 60_000);

test('quarterdeck keys lists every key, as a table and as JSON, without a service or a screen', async () => {
	const cli = cliAt(temporaryFolder());
	const {code, stdout, stderr} = await cli.run(['keys']);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toMatch(/^KEYS +ACTION +WHERE +DESCRIPTION\n/);
	expect(stdout).toMatch(/^X +archive +Sessions, Stream.* +Archive the session/m);
	expect(stdout).toMatch(/^Ctrl\+C +interrupt +Everywhere/m);
	const json = await cli.run(['keys', '--json']);
	expect(jsonLines(json.stdout)).toHaveLength(stdout.trimEnd().split('\n').length - 1);
}, 60_000);

test('the palette opens from the lists and the composer, does what was chosen and remembers it', async () => {
	const env = emptyHome();
	const first = openProgram(['--local'], env, {columns: 80, rows: 24});
	await first.see('active');
	first.press('ctrl+p');
	await first.see('Commands');
	first.type('diagn');
	await first.see(/▌ Events and diagnostics/);
	first.press('enter');
	await first.see('Hook events');
	// What can't be done says why, whole, and stays.
	first.type(':');
	await first.see('Commands');
	first.type('archive the sess');
	await first.see(/disabled: only in Sessions, Stream/);
	first.press('enter');
	await first.see(/Archive the session.*only in Sessions/);
	first.press('esc');
	await first.gone('Commands');
	first.press('1');
	await first.see('Computers');
	first.press('s');
	await first.see('A command for the shell');
	first.type('draft');
	await first.see('> draft');
	first.press('ctrl+p');
	await first.see('Commands');
	first.press('esc');
	await first.gone('Commands');
	await first.see('> draft');
	first.press('esc');
	await first.see(/e expand|Enter write .* n /);
	first.press('q');
	await first.see('Code 0');
	await first.exit();

	const second = openProgram(['--local'], env, {columns: 80, rows: 24});
	await second.see('Computers');
	second.press('ctrl+p');
	await second.see(/▌ Events and diagnostics/);
	second.press('esc');
	await second.gone('Commands');
	second.press('q');
	await second.see('Code 0');
	await second.exit();
	expect(settingsAround(second).after).toBe(settingsAround(second).before);
}, 60_000);
