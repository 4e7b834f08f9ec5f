import {execFile} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {seed} from '../bench/world.ts';
import {accountFileFor} from '../support/account-files.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, emptyHome, openProgram} from '../support/program.ts';

/** Modules of Node that the first frame doesn't need and that take long to load. */
const late = [
	'crypto',
	'fs/promises',
	'http',
	'https',
	'internal/fs/promises',
	'timers/promises',
	'tls',
	'v8',
];

test("the first frame loads no Node module or library that it doesn't need: code is colored after it; warnings of Node don't reach the screen", async () => {
	const home = emptyHome();
	const service = {url: 'http://127.0.0.1:9', key: 'key'};
	const state = join(home.HOME ?? '', '.local/state/quarterdeck');
	mkdirSync(state, {recursive: true, mode: 0o700});
	seed(await accountFileFor(state, service), {sessions: 1, computers: 1, messages: 6, isOpen: true});
	const file = join(home.HOME ?? '', 'loaded');
	const terminal = openProgram(
		[],
		{
			...home,
			QUARTERDECK_BASE_URL: service.url,
			QUARTERDECK_API_KEY: service.key,
			NODE_OPTIONS: `--require=${resolve(import.meta.dirname, 'fixtures/tell-loaded.cjs')}`,
			LOADED_FILE: file,
		},
		{columns: 120, rows: 40},
	);
	await terminal.see('5 Done ✅');
	const loaded = readFileSync(file, 'utf8')
		.split('\n')
		.map(line => line.replace(/^NativeModule /, ''));
	expect(loaded).toContain('sqlite');
	expect(late.filter(name => loaded.includes(name))).toEqual([]);
	expect(loaded.filter(name => name.endsWith('.js'))).toEqual(['screen.js']);
	const code = terminal.look('user_id, count').color;
	await terminal.seeLook('SELECT', ({color}) => color !== code);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	expect(terminal.output()).not.toContain('a warning of Node');
});

test('an old Node starts the newer one beside the program, or the error says how to install that', async () => {
	const folder = join(temporaryFolder(), 'dist');
	mkdirSync(join(folder, 'node_modules/node/bin'), {recursive: true});
	copyFileSync(builtCli, join(folder, 'cli.cjs'));
	const asOld = join(folder, 'old.cjs');
	writeFileSync(
		asOld,
		`Object.defineProperty(process, 'versions', {value: {...process.versions, node: '20.20.2'}});`,
	);
	const start = () =>
		promisify(execFile)(process.execPath, ['--require', asOld, join(folder, 'cli.cjs'), '--version']);
	await expect(start()).rejects.toMatchObject({
		code: 1,
		stderr: `quarterdeck: needs Node 22.19 or later, but this is 20.20.2. This gives it one of its own: npm install --prefix '${folder}' --no-save node@24\n`,
	});
	symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
	expect(await start()).toEqual({stdout: '0.1.0\n', stderr: ''});
});

test('keys typed before the first frame count; the frame is whole wherever the cursor was, and after a resize', async () => {
	const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
	expect(readme.replaceAll(/\s+/g, ' ')).toContain(
		'Then press <kbd>n</kbd>, type `ls -la` and press <kbd>Enter</kbd>',
	);
	const terminal = openProgram(['--local'], emptyHome(), {columns: 110, rows: 34});
	await terminal.see('Before');
	terminal.type('nls -la\r');
	await terminal.see(/agent [^\n]*\n[^\n]*total \d+/);
	expect(terminal.row(0)).toMatch(/^ quarterdeck {2}local /);
	// Only this machine: the words are no computer's name.
	await terminal.see(/Computers [^\n]* 1 /);
	// The turn is over as soon as the service says so.
	await terminal.see('1 idle');
	terminal.press('esc');
	await terminal.see('Enter write');
	const frame = () =>
		terminal
			.screen()
			.split('\n')
			.map(line => line.trimEnd().at(-1) ?? '');
	const before = frame();
	terminal.resize(40, 8);
	terminal.resize(110, 34);
	expect(frame()).not.toEqual(before);
	await expect.poll(frame).toEqual(before);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});
