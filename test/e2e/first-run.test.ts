import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startTestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 110, rows: 34};

test('from nothing to a service: a wrong key is told, the right one kept in a file of its own', async () => {
	const {local} = await startTestService();
	const env = emptyHome();
	const config = join(env.HOME ?? '', '.config/quarterdeck/config.json');
	const keyFile = join(env.HOME ?? '', '.config/quarterdeck/keys/default');
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('Connect to a service');
	terminal.type(local.url);
	await terminal.see(local.url);
	terminal.press('enter', 'enter', 'enter');
	terminal.press('t', 'enter');
	terminal.type('no-such-key');
	await terminal.see('***********');
	terminal.press('enter');
	await terminal.see('The service refused the key (401)');
	expect(existsSync(config)).toBe(false);
	for (let typed = 0; typed < 'no-such-key'.length; typed++) terminal.press('backspace');
	await terminal.gone('***');
	terminal.paste(local.key.reveal());
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see('Connected to');
	await terminal.gone('Welcome');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit;

	expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
		profile: 'default',
		profiles: {default: {baseUrl: local.url, keyFile}},
	});
	expect([config, keyFile].map(file => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
	// The key never showed, and is nowhere but in its file.
	expect(terminal.output()).not.toContain(local.key.reveal());

	const again = openProgram([], env, size);
	await again.see('Nothing here yet');
	expect(again.screen()).not.toContain('Welcome');
	again.press('q');
	await again.exit;
});

test('cancelled while the service is asked, nothing is kept', async () => {
	const {local} = await startTestService({axes: {coldCall: 60_000}});
	const env: NodeJS.ProcessEnv = {...emptyHome(), QUARTERDECK_API_KEY: local.key.reveal()};
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('Connect to a service');
	await terminal.see('(●) env');
	terminal.type(local.url);
	await terminal.see(local.url);
	terminal.press('ctrl+s');
	await terminal.see('asking the service');
	terminal.press('esc');
	await terminal.gone('Connect to a service');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit;
	expect(existsSync(join(env.HOME ?? '', '.config/quarterdeck'))).toBe(false);
});

test('working locally needs no account, and is one key away', async () => {
	const terminal = openProgram([], emptyHome(), size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('l');
	await terminal.see(/quarterdeck +local/);
	await terminal.see(/3 of 3 steps/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit;
});
