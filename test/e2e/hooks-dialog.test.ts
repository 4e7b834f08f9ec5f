import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsAt} from '../support/commands.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 140, rows: 50};
const settings = '{\n  "model": "x"\n}\n';

test('Needs you says that hooks are missing; H shows the difference, installs and uninstalls', async () => {
	// Where Claude Code was used.
	const env = emptyHome();
	const home = env.HOME ?? '';
	mkdirSync(join(home, '.claude'));
	const file = join(home, '.claude/settings.json');
	writeFileSync(file, settings);
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/3 of 3 steps/);
	await terminal.see('Hooks are not installed:');
	terminal.press('H');
	await terminal.see('─ Install hooks ─');
	// What the command shows.
	const {run} = commandsAt(home);
	const {stdout} = await run(['hooks', 'install', '--dry-run']);
	const [heading = '', range = ''] = stdout.split('\n');
	expect(heading).toContain('add Notification, Stop');
	await terminal.see(heading.slice(0, heading.indexOf(', SubagentStop')));
	await terminal.see(range);
	await terminal.see('Enter install  ');
	terminal.press('a');
	await terminal.see('─ Install hooks and answer here ─');
	await terminal.see('PermissionRequest');
	terminal.press('enter');
	await terminal.see(`wrote ${file}`);
	await terminal.see('in sessions that start from now on');
	expect(readFileSync(file, 'utf8')).toMatch(/quarterdeck-hook[\s\S]*PermissionRequest/);
	terminal.press('esc');
	await terminal.gone('─ Install hooks and answer here ─');
	// What was chosen beside stays.
	await run(['hooks', 'install', '--answer', '--last-message', '--yes']);
	terminal.press('H');
	await terminal.see('Nothing to install.');
	terminal.press('u');
	await terminal.see('─ Uninstall hooks ─');
	await terminal.see('Enter uninstall  ');
	terminal.press('enter');
	await terminal.see(`wrote ${file}`);
	expect(readFileSync(file, 'utf8')).toBe(settings);
	terminal.press('esc');
	await terminal.gone('─ Uninstall hooks ─');
	// Who uninstalled them knows.
	await terminal.see('✓ nothing');
	expect(terminal.screen()).not.toContain('Hooks are not installed');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();

	// Nor does it return: hooks belong to the machine, whichever account is open.
	const hosted = {...env, QUARTERDECK_BASE_URL: 'http://127.0.0.1:9', QUARTERDECK_API_KEY: 'key'};
	const again = openProgram([], hosted, size);
	await again.see('offline');
	again.press('H');
	await again.see('Enter install  ');
	again.press('esc');
	await again.gone('─ Install hooks ─');
	expect(again.screen()).not.toContain('Hooks are not installed');
	again.press('q');
	await again.see('Code 0');
	await again.exit();
}, 60_000);
