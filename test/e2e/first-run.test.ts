import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {portOf, startTestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {html} from '../support/replies.ts';

const size = {columns: 110, rows: 34};

test('connecting for the first time reports a wrong key, and saves the right one in its own file', async () => {
	const {local} = await startTestService({port: 0});
	// Nothing is compiled yet, either.
	const {XDG_CACHE_HOME: _, ...env} = emptyHome();
	const config = join(env.HOME ?? '', '.config/quarterdeck/config.json');
	const keyFile = join(env.HOME ?? '', '.config/quarterdeck/keys/default');
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('Connect to a service');
	terminal.type(portOf(local).url);
	await terminal.see(portOf(local).url);
	// Enter goes to what is missing, and a refusal to the field at fault, wherever one was.
	terminal.press('enter');
	await terminal.see('▌ Key ');
	terminal.type('no-such-key');
	await terminal.see('***********');
	terminal.press('shift+tab', 'shift+tab');
	await terminal.see('▌ Address ');
	terminal.press('enter');
	await terminal.see('The service refused the key (401)');
	await terminal.see('▌ Key ');
	expect(existsSync(config)).toBe(false);
	// The next key is typed anew.
	await terminal.gone('***');
	terminal.paste(portOf(local).key);
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see('✓ Connected: profile default');
	await terminal.gone('Welcome');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();

	expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
		profile: 'default',
		profiles: {default: {baseUrl: portOf(local).url, keyFile}},
	});
	expect([config, keyFile].map(file => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
	// The key never showed, and is nowhere but in its file.
	expect(terminal.output()).not.toContain(portOf(local).key);

	const again = openProgram([], env, size);
	await again.see('Nothing here yet');
	expect(again.screen()).not.toContain('Welcome');

	// The first session needs a computer: nothing has to be typed for it.
	again.press('n');
	await again.see(/Name +computer-1/);
	again.press('enter');
	await again.see('What should it do?');
	again.type('ls -la');
	await again.see('> ls -la');
	again.press('enter');
	await again.see(/agent [^\n]*\n[^\n]*total \d+/);
	again.press('esc');
	await again.see(/Enter write .* n /);
	again.press('q');
	await again.see('Code 0');
	await again.exit();
});

test('keys typed before the first frame count: a new session, its words and Enter', async () => {
	const terminal = openProgram(['--local'], emptyHome(), size);
	await terminal.see('Before');
	terminal.type('nls -la\r');
	await terminal.see(/agent [^\n]*\n[^\n]*total \d+/);
	// Only this machine: the words are no computer's name.
	await terminal.see(/Computers [^\n]* 1 /);
	terminal.press('esc');
	await terminal.see('Enter write');
	terminal.press('q');
	await terminal.exit();
});

test('the first steps in the README work in an empty home', async () => {
	const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
	expect(readme.replaceAll(/\s+/g, ' ')).toContain(
		'When it is up, press <kbd>n</kbd>, type `ls -la` and press <kbd>Enter</kbd>',
	);
	const terminal = openProgram(['--local'], emptyHome(), size);
	await terminal.see(/3 of 3 steps/);
	await terminal.see(/n new session/);
	terminal.press('n');
	await terminal.see('What should it do?');
	terminal.type('ls -la');
	await terminal.see('> ls -la');
	terminal.press('enter');
	await terminal.see(/agent [^\n]*\n[^\n]*total \d+/);
	await terminal.see('> A command for the shell');
	// The turn is over as soon as the service says so.
	await terminal.see('1 idle');
	terminal.press('esc');
	await terminal.see('Enter write');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});

test("an id that the service doesn't have is reported, and not added", async () => {
	const {local} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	const env = {...emptyHome(), QUARTERDECK_BASE_URL: url, QUARTERDECK_API_KEY: key};
	const terminal = openProgram([], env, size);
	await terminal.see('● connected');
	for (const kind of ['session', 'computer']) {
		terminal.press('a');
		await terminal.see('─ Add by id ─');
		if (kind === 'computer') terminal.press('shift+tab', 'c', 'tab');
		terminal.type('no-such-id');
		await terminal.see(/Id +no-such-id/);
		terminal.press('enter');
		const other = kind === 'session' ? 'computer' : 'session';
		await terminal.see(new RegExp(`The service has no ${kind} with this id: is it a[\\s│]+${other}'s\\?`));
		terminal.press('esc');
		await terminal.gone('─ Add by id ─');
		await terminal.see(/The service can't list/);
	}
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});

test('an address where nothing answers is reported at its field', async () => {
	const terminal = openProgram([], emptyHome(), size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('▌ Address ');
	terminal.type('http://127.0.0.1:9');
	terminal.press('enter');
	await terminal.see('▌ Key ');
	terminal.type('any');
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see("The service can't be reached at http://127.0.0.1:9");
	await terminal.see('▌ Address ');
	terminal.press('esc');
	await terminal.gone('Connect to a service');
	terminal.press('q');
	await terminal.exit();
});

test('an address that answers, but not as the service, is reported at its field', async () => {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise(html(404, 'Welcome'));
	const env = emptyHome();
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('▌ Address ');
	// Without its scheme.
	terminal.type(server.url.replace('http://', ''));
	await terminal.see(`as ${server.url}`);
	terminal.press('enter');
	await terminal.see('▌ Key ');
	terminal.type('any');
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see(`${server.url} answers, but not as the service`);
	await terminal.see('▌ Address ');
	terminal.press('esc');
	await terminal.gone('Connect to a service');
	terminal.press('q');
	await terminal.exit();
});

test('canceling while the service is asked saves nothing', async () => {
	const {local} = await startTestService({port: 0, variant: {coldCall: 60_000}});
	const env: NodeJS.ProcessEnv = {...emptyHome(), QUARTERDECK_API_KEY: portOf(local).key};
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('c');
	await terminal.see('Connect to a service');
	await terminal.see('(●) env');
	terminal.type(portOf(local).url);
	await terminal.see(portOf(local).url);
	terminal.press('ctrl+s');
	await terminal.see('waiting for the service');
	terminal.press('esc');
	await terminal.gone('Connect to a service');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect(existsSync(join(env.HOME ?? '', '.config/quarterdeck'))).toBe(false);
});

test('working locally needs no account, and is one key away', async () => {
	const env = emptyHome();
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('l');
	await terminal.see(/quarterdeck +local/);
	await terminal.see('Now the default profile; P switches');
	await terminal.see(/3 of 3 steps/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect(JSON.parse(readFileSync(join(env.HOME ?? '', '.config/quarterdeck/config.json'), 'utf8'))).toEqual({
		profile: 'local',
		profiles: {local: {local: true}},
	});

	// It is remembered; from there another service can be connected, which is then the one that is opened.
	const {local: hosted} = await startTestService({port: 0});
	const again = openProgram([], {...env, QUARTERDECK_API_KEY: portOf(hosted).key}, size);
	await again.see(/quarterdeck +local/);
	expect(again.screen()).not.toContain('Welcome');
	again.press('P');
	await again.see(/● local .* open\b/);
	again.press('n');
	await again.see('Connect to a service');
	again.type(portOf(hosted).url);
	await again.see(portOf(hosted).url);
	again.press('tab', 'tab');
	await again.see('▌ Profile');
	again.press('ctrl+u');
	again.type('acme');
	await again.see(/Profile +acme/);
	again.press('ctrl+s');
	await again.see(/quarterdeck +acme/);
	again.press('q');
	await again.see('Code 0');
	await again.exit();
	const last = openProgram([], {...env, QUARTERDECK_API_KEY: portOf(hosted).key}, size);
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
