import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {portOf, startTestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {html, silence} from '../support/replies.ts';

const size = {columns: 110, rows: 34};

test('connecting for the first time reports what is wrong at its field, and saves the right key in its own file', async () => {
	const {local} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	const other = await startFaultServer();
	onTestFinished(() => other.close());
	other.otherwise(html(404, 'Welcome'));
	const silent = await startFaultServer();
	onTestFinished(() => silent.close());
	silent.otherwise(silence());
	// Nothing is compiled yet, either.
	const {XDG_CACHE_HOME: _, ...env} = emptyHome();
	const folder = join(env.HOME ?? '', '.config/quarterdeck');
	const config = join(folder, 'config.json');
	const keyFile = join(folder, 'keys/default');
	const terminal = openProgram([], env, size);
	const {see, gone, press, type, paste} = terminal;
	await see('Welcome to quarterdeck');
	press('c');
	await see('▌ Address ');
	const changeAddress = async (address: string) => {
		await see('▌ Address ');
		press('ctrl+u');
		type(address);
		await see(address);
		press('enter');
	};

	await changeAddress('http://127.0.0.1:9');
	// Enter goes to what is missing, and a refusal to the field at fault.
	await see('▌ Key ');
	type('no-such-key');
	await see('***********');
	press('enter');
	await see("The service can't be reached at http://127.0.0.1:9");
	// Without its scheme.
	await changeAddress(other.url.replace('http://', ''));
	await see(`${other.url} answers, but not as the service`);
	await changeAddress(silent.url);
	await see('waiting for the service');
	press('esc');
	await gone('Connect to a service');
	expect(existsSync(folder)).toBe(false);
	press('c');
	await see('last time is filled in');
	press('ctrl+u');
	type(url);
	await see(url);
	press('tab', 'tab');
	await see('▌ Key ');
	press('ctrl+u');
	type('no-such-key');
	await see('***********');
	press('shift+tab', 'shift+tab');
	await see('▌ Address ');
	press('enter');
	await see('The service refused the key (401)');
	await see('▌ Key ');
	expect(existsSync(config)).toBe(false);
	// The next key is typed anew.
	await gone('***');
	paste(key);
	await see('***');
	press('enter');
	await see('✓ Connected: profile default');
	await gone('Welcome');
	expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
		profiles: {default: {baseUrl: url, keyFile}},
	});
	expect([config, keyFile].map(file => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);

	// An id that the service doesn't have isn't added.
	press('a');
	await see('─ Add by id ─');
	type('no-such-id');
	await see(/Id +no-such-id/);
	press('enter');
	await see(/The service has no session with this id: is it a[\s│]+computer's\?/);
	press('esc');
	await gone('─ Add by id ─');
	// The first session needs a computer: nothing has to be typed for it.
	press('n');
	await see(/Name +computer-1/);
	press('enter');
	await see('What should it do?');
	type('ls -la');
	await see('> ls -la');
	press('enter');
	await see(/agent [^\n]*\n[^\n]*total \d+/);
	press('esc');
	await see(/Enter write .* n /);
	press('q');
	await see('Code 0');
	await terminal.exit();
	// The key never showed, and is nowhere but in its file.
	expect(terminal.output()).not.toContain(key);
	// Nothing was shown before that another account keeps.
	expect(terminal.output()).not.toContain('stays with account');

	// The next start has the messages in its first frame.
	const again = openProgram([], env, size);
	await again.see(/agent [^\n]*\n[^\n]*total \d+/);
	await again.see('● connected');
	expect(again.output()).not.toMatch(/Loading messages|Welcome/);
	again.press('q');
	await again.see('Code 0');
	await again.exit();
}, 90_000);

test('working locally needs no account and is one key away; another service is connected from there', async () => {
	const env = emptyHome();
	const {local: hosted} = await startTestService({port: 0});
	const withKey = {...env, QUARTERDECK_API_KEY: portOf(hosted).key};
	const terminal = openProgram([], withKey, size);
	const {see, press, type} = terminal;
	await see('Welcome to quarterdeck');
	press('l');
	await see(/quarterdeck +local/);
	await see('The next start opens it, too; P switches');
	await see(/3 of 3 steps/);
	expect(JSON.parse(readFileSync(join(env.HOME ?? '', '.config/quarterdeck/config.json'), 'utf8'))).toEqual({
		profiles: {local: {local: true}},
	});
	press('P');
	await see(/● local .* open\b/);
	press('n');
	await see('Connect to a service');
	await see('(●) env');
	type(portOf(hosted).url);
	await see(portOf(hosted).url);
	press('tab', 'tab');
	await see('▌ Profile');
	press('ctrl+u');
	type('acme');
	await see(/Profile +acme/);
	press('ctrl+s');
	await see(/quarterdeck +acme/);
	press('q');
	await see('Code 0');
	await terminal.exit();
	// The one opened last is opened.
	const last = openProgram([], withKey, size);
	await last.see(/quarterdeck +acme/);
	last.press('P');
	await last.see(/● acme .* open\b/);
	last.press('k', 'enter');
	await last.see(/quarterdeck +local/);
	last.press('q');
	await last.see('Code 0');
	await last.exit();
}, 60_000);

test("an unwritable configuration doesn't prevent working locally", async () => {
	const env = emptyHome();
	// What root can't write either.
	writeFileSync(join(env.HOME ?? '', '.config'), '');
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('l');
	await terminal.see(/quarterdeck +local/);
	await terminal.see(/config.json can't be written/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});
