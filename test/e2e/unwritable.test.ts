import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';

test('an unwritable state folder is reported with its remedy, at the start and before text is lost', async () => {
	const server = await startFaultServer();
	const env: NodeJS.ProcessEnv = {
		...emptyHome(),
		QUARTERDECK_API_KEY: 'key',
		QUARTERDECK_BASE_URL: server.url,
		QUARTERDECK_APP_URL: server.url,
	};
	// What root can't write either.
	const state = join(env.HOME ?? '', 'a-file');
	writeFileSync(state, '');
	const terminal = openProgram(
		['--session', 's1'],
		{...env, XDG_STATE_HOME: state},
		{columns: 240, rows: 30},
	);
	await terminal.see('! not saved: fix it and restart');
	await terminal.see(/can't write to .* \(a file is in the way\): .*set XDG_STATE_HOME/);
	terminal.press('enter');
	await terminal.see('Write to the agent');
	terminal.type('half a thought');
	await terminal.see('half a thought');
	terminal.press('esc');
	await terminal.see(/q quit/);
	terminal.press('q');
	await terminal.see('Quit and lose unsent text?');
	await terminal.see('XDG_STATE_HOME. Copy it first');
	expect(terminal.screen()).not.toMatch(/ENOTDIR|EACCES|\.\.\s+Copy/);
	terminal.press('y');
	await terminal.exit();
	await server.close();
});

test('once its folder can be used, the embedded service starts by itself', async () => {
	const env = emptyHome();
	const state = join(env.HOME ?? '', '.local/state/quarterdeck');
	mkdirSync(state, {recursive: true});
	// What root can't use either.
	writeFileSync(join(state, 'local'), '');
	const terminal = openProgram(['--local'], env, {columns: 120, rows: 30});
	await terminal.see(/✗ \S+local is a file, or below one: set XDG_STATE_HOME/);
	await terminal.see(/offline since \d\d:\d\d, reconnecting in \d+s/);
	rmSync(join(state, 'local'));
	await terminal.see(/3 of 3 steps/);
	expect(terminal.screen()).not.toContain('offline');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}, 60_000);
