import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {builtCli, emptyHome, openProgram} from '../support/program.ts';
import {openTerminal} from '../support/terminal.ts';

/** Modules of Node that the first frame doesn't need and that take long to load. */
const late = [
	...['assert', 'child_process', 'crypto', 'fs/promises', 'http', 'https', 'internal/fs/promises'],
	...['perf_hooks', 'timers/promises', 'tls', 'v8'],
];

test("the first frame loads no Node module or library that it doesn't need", async () => {
	const home = emptyHome();
	const file = join(home.HOME ?? '', 'loaded');
	const terminal = openProgram(
		[],
		{
			...home,
			QUARTERDECK_BASE_URL: 'http://127.0.0.1:9',
			QUARTERDECK_API_KEY: 'key',
			NODE_OPTIONS: `--require=${resolve(import.meta.dirname, 'fixtures/tell-loaded.cjs')}`,
			LOADED_FILE: file,
		},
		{columns: 120, rows: 40},
	);
	await terminal.see('Computers');
	const loaded = readFileSync(file, 'utf8')
		.split('\n')
		.map(line => line.replace(/^NativeModule /, ''));
	expect(loaded).toContain('sqlite');
	expect(late.filter(name => loaded.includes(name))).toEqual([]);
	expect(loaded.filter(name => name.endsWith('.js'))).toEqual(['screen.js']);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});

test('with an old Node, an error says what works instead', async () => {
	const asOld = `Object.defineProperty(process, 'versions', {value: {...process.versions, node: '20.20.2'}});`;
	const {stderr} = await promisify(execFile)(process.execPath, [
		'-e',
		`${asOld} require(${JSON.stringify(builtCli)})`,
	]).catch((error: {stderr: string}) => error);
	expect(stderr).toBe(
		'quarterdeck: needs Node 22.19 or later, but this is 20.20.2: install a newer Node, or run `npm run quarterdeck --` here, which uses its own\n',
	);
});

test('the first frame is whole wherever the cursor was, such as after keys typed too early', async () => {
	const home = emptyHome();
	const terminal = openTerminal({
		command: '/bin/sh',
		args: ['-c', 'printf "typed early"; exec node "$0" --local', builtCli],
		env: home,
		cwd: home.HOME,
		columns: 120,
		rows: 40,
	});
	await terminal.see('Computers');
	expect(terminal.screen().split('\n')[0]).toMatch(/^ quarterdeck {2}local /);
	terminal.press('q');
	await terminal.exit();
});

test('the first frame shows the messages of the session that was open last, from disk', async () => {
	const env = emptyHome();
	const size = {columns: 120, rows: 40};
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/3 of 3 steps/);
	terminal.press('n');
	await terminal.see('What should it do?');
	terminal.type('echo said-by-the-agent');
	await terminal.see('> echo said-by-the-agent');
	terminal.press('enter');
	await terminal.see(/agent [^\n]*\n[^\n]* said-by-the-agent/);
	await terminal.see('1 idle');
	terminal.press('esc');
	await terminal.see('Enter write');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();

	const again = openProgram(['--local'], env, size);
	await again.see(/agent [^\n]*\n[^\n]* said-by-the-agent/);
	await again.see('● connected');
	expect(again.output()).not.toContain('Loading messages');
	again.press('q');
	await again.exit();
});

test('a terminal resized and put back at once is drawn again', async () => {
	const terminal = openProgram(['--local', '--view', 'events'], emptyHome(), {columns: 100, rows: 30});
	await terminal.see('● connected');
	await terminal.see('? keys');
	const frame = () =>
		terminal
			.screen()
			.split('\n')
			.map(line => line.trimEnd().at(-1) ?? '');
	const before = frame();
	terminal.resize(40, 8);
	terminal.resize(100, 30);
	expect(frame()).not.toEqual(before);
	await expect.poll(frame).toEqual(before);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
});
