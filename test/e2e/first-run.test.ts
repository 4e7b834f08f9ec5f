import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {portOf, startTestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 110, rows: 34};

test('connecting for the first time reports a wrong key at its field, and saves the right one in its own file', async () => {
	const {local} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	// Nothing is compiled yet, either.
	const {XDG_CACHE_HOME: _, ...env} = emptyHome();
	const folder = join(env.HOME ?? '', '.config/quarterdeck');
	const [config, keyFile] = [join(folder, 'config.json'), join(folder, 'keys/default')];
	const terminal = openProgram([], env, size);
	const {see, gone, press, type, paste} = terminal;
	await see('Welcome to quarterdeck');
	press('c');
	await see('▌ Address ');
	type(url);
	await see(url);
	press('enter');
	// Enter goes to what is missing, and a refusal to the field at fault.
	await see('▌ Key ');
	type('no-such-key');
	await see('***********');
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

test('working locally needs no account and is one key away', async () => {
	const env = emptyHome();
	const terminal = openProgram([], env, size);
	await terminal.see('Welcome to quarterdeck');
	terminal.press('l');
	await terminal.see(/quarterdeck +local/);
	await terminal.see('The next start opens profile local, too; P switches');
	await terminal.see(/3 of 3 steps/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect(JSON.parse(readFileSync(join(env.HOME ?? '', '.config/quarterdeck/config.json'), 'utf8'))).toEqual({
		profiles: {local: {local: true}},
	});
});
