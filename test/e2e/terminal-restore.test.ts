import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {build} from 'esbuild';
import {afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {isAlive, processState} from '../support/is-alive.ts';
import {builtCli} from '../support/program.ts';
import {openTerminal, type Terminal, terminalEnvironment, untilRead} from '../support/terminal.ts';
import {withoutDevtools} from '../support/without-devtools.ts';

let fixture: string;
let program: string;
let folder: string;

// As one file, it starts in a quarter of the time.
beforeAll(async () => {
	fixture = join(mkdtempSync(join(tmpdir(), 'fixture-')), 'screen.mjs');
	await build({
		entryPoints: [new URL('fixtures/screen.ts', import.meta.url).pathname],
		outfile: fixture,
		bundle: true,
		format: 'esm',
		platform: 'node',
		plugins: [withoutDevtools()],
		banner: {
			js: "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
	program = `"${process.execPath}" "${fixture}"`;
});
afterAll(() => {
	rmSync(dirname(fixture), {recursive: true, force: true});
});

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'terminal-'));
});
afterEach(() => {
	rmSync(folder, {recursive: true, force: true});
});

const has = (name: string) => existsSync(join(folder, name));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const stopped = (pid: number) => expect.poll(() => processState(pid)).toBe('T');
const ended = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);
const clean = {
	alternateScreen: false,
	bracketedPaste: false,
	mouse: false,
	focusReports: false,
	applicationCursorKeys: false,
	cursorHidden: false,
	kittyKeyboard: 0,
};
const ours = {
	...clean,
	alternateScreen: true,
	bracketedPaste: true,
	mouse: true,
	focusReports: true,
	cursorHidden: true,
	kittyKeyboard: 1,
};

/** A command in a shell that notes the line discipline before and after, and the exit code. */
function openShell(command: string): Terminal {
	const script = `cd "${folder}"; stty sane; stty -g >before; ${command}; echo $? >code; stty -g >after; echo the end; ${untilRead}`;
	return openTerminal({
		command: '/bin/sh',
		args: ['-c', script],
		env: {...process.env, HOME: folder},
		columns: 80,
		rows: 24,
		lastWords: /the end\r?$/m,
	});
}

async function expectGivenBack(terminal: Terminal, code: number): Promise<void> {
	await terminal.see('the end');
	await terminal.exit();
	expect(read('code').trim()).toBe(String(code));
	expect(read('after')).toBe(read('before'));
	expect(terminal.modes()).toEqual(clean);
	expect(read('saved')).toBe('yes');
}

test('keys, pastes, focus, mouse, sizes and another program: quit gives everything back', async () => {
	const terminal = openShell(`${program} . late`);
	// A key typed before the first frame isn't echoed into it, and isn't lost.
	await expect.poll(() => has('held')).toBe(true);
	terminal.type('x');
	writeFileSync(join(folder, 'typed'), 'yes');
	await terminal.see('key "x"');
	expect(terminal.output()).toMatch(/^\x1b\]11;\?\x1b\\\r\x1b\[\?1049h/);
	expect(terminal.modes()).toEqual(ours);
	terminal.paste('one\ntwo');
	await terminal.see('pasted 7');
	terminal.type('\x1b[O');
	await terminal.see('focused false');
	terminal.type('\x1b[<0;5;3M');
	await terminal.see('mouse 0 at 4,2');
	terminal.type('\x1b[200~never ends\r\nq');
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.see('interrupt');
	// Hostile text doesn't reach the terminal.
	terminal.type('h');
	await terminal.see('hostile');
	expect(terminal.output()).not.toMatch(/\x1b\]0|\x1b\[2J|\x9b/);
	// Another program has the terminal.
	terminal.press('e');
	await terminal.see('inside');
	expect(terminal.modes()).toEqual(clean);
	terminal.type('line\r');
	await terminal.see(/^pid \d+\n/m);
	await expect.poll(() => terminal.modes()).toEqual(ours);
	for (let i = 0; i < 60; i++) terminal.resize(20 + (i % 50), 5 + (i % 20));
	terminal.resize(60, 12);
	terminal.type('z');
	await terminal.see(/pid \d+\nkey "z"\n+$/);
	terminal.press('q');
	await expectGivenBack(terminal, 0);
	// The line that let the shell go may be echoed.
	expect(terminal.screen().trim()).toMatch(/^inside\nline\nthe end(\s+read)?$/);
});

test('SIGTERM gives everything back; a signal during the exit, and another at its end, cut nothing short', async () => {
	const terminal = openShell(`${program} . signals`);
	await terminal.see('ready');
	const pid = Number(read('pid'));
	process.kill(pid, 'SIGTERM');
	await expect.poll(() => has('saving')).toBe(true);
	process.kill(pid, 'SIGHUP');
	await expectGivenBack(terminal, 143);
	expect([has('saved after it'), has('cleaned up')]).toEqual([true, true]);
});

test('an exception gives everything back, then is reported once, without secrets', async () => {
	const terminal = openShell(`${program} .`);
	await terminal.see('ready');
	terminal.press('t');
	await expectGivenBack(terminal, 1);
	const screen = terminal.screen();
	expect(screen).toContain('quarterdeck crashed: Error: thrown *** \u241b[31m');
	expect(screen.match(/quarterdeck crashed/g)).toHaveLength(1);
	const [report = '', ...others] = readdirSync(join(folder, 'crashes'));
	expect(others).toEqual([]);
	expect(screen.replaceAll('\n', '')).toContain(report);
	expect(statSync(join(folder, 'crashes', report)).mode & 0o777).toBe(0o600);
	expect(read(join('crashes', report))).not.toContain('s3cret');
	expect(read(join('crashes', report))).not.toContain(process.env.PATH ?? '');
});

test('the program saves and ends when the terminal is gone', async () => {
	const pty = spawn('/bin/sh', ['-c', `cd "${folder}"; exec setsid -w ${program} .`], {
		name: 'xterm-256color',
		cols: 80,
		rows: 24,
		env: terminalEnvironment(process.env),
	});
	let output = '';
	pty.onData(data => {
		output += data;
	});
	await expect.poll(() => output).toContain('ready');
	(pty as unknown as {destroy(): void}).destroy();
	await ended(Number(read('pid')));
	expect(read('saved')).toBe('yes');
	expect(has('crashes')).toBe(false);
});

/** What the screen writes and no shell does: its modes, screens, title and questions. */
const written = /\x1b(?:\[\?(?:1000|1002|1004|1006|1049|2026|2031)[hl]|\[[<>]\d*u|\]\d|\[2[23];2t)/;

const [saveTitle, restoreTitle] = ['\x1b[22;2t', '\x1b[23;2t'];

test('Ctrl+Z, bg, fg, an end while stopped, and a start in the background', async () => {
	const terminal = openTerminal({
		command: 'bash',
		args: ['--norc', '--noprofile', '-i'],
		env: {...process.env, PS1: 'shell> ', HISTFILE: ''},
		columns: 200,
		rows: 60,
	});
	const {see, type, press} = terminal;
	let mark = 0;
	const setMark = () => {
		mark = terminal.output().length;
	};
	const said = () => terminal.output().slice(mark);
	let lines = 0;
	/** Runs a command line; resolves when the shell has done it. */
	const run = async (line: string) => {
		lines += 1;
		type(`${line}; echo done''${lines}.\r`);
		await see(`done${lines}.`);
	};
	const start = async (suffix = '') => {
		rmSync(join(folder, 'pid'), {force: true});
		type(`${program} .${suffix}\r`);
		await expect.poll(() => has('pid') && Number(read('pid'))).toBeGreaterThan(0);
		const pid = Number(read('pid'));
		onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
		return pid;
	};
	/** The shell knows it only after the kernel: before, it would continue nothing. */
	const seeStopped = () =>
		eventually(async () => {
			await run('jobs');
			expect(said()).toContain('Stopped');
		});
	const continueJob = async (key: string) => {
		type('fg\r');
		await see(/^pid \d+\n/m);
		type(key);
		await see(`key "${key}"`);
		await expect.poll(() => terminal.modes()).toEqual(ours);
	};
	await see('shell>');
	await run(`cd "${folder}"; stty -g >before`);

	const first = await start();
	await see('ready');
	setMark();
	press('ctrl+z');
	await stopped(first);
	await run('true');
	expect(has('kept')).toBe(true);
	expect(said()).toContain(restoreTitle);
	expect(terminal.modes()).toEqual({...clean, bracketedPaste: terminal.modes().bracketedPaste});
	setMark();
	await run('bg; echo');
	await seeStopped();
	expect(said()).not.toMatch(written);
	setMark();
	await continueJob('x');
	expect(said()).toContain(`${saveTitle}\x1b]2;fixture`);
	// Stopped by someone else.
	process.kill(first, 'SIGTSTP');
	await stopped(first);
	await run('true');
	await continueJob('y');
	// Stopped together with the program that has the terminal.
	press('e');
	await see('inside');
	press('ctrl+z');
	await stopped(first);
	await run('stty -a');
	expect(said()).not.toContain('-icanon');
	type('fg\r');
	await expect.poll(() => processState(first)).not.toBe('T');
	type('line\r');
	await see(/^pid \d+\n/m);
	press('q');
	await ended(first);
	await run('stty -g >after');
	expect(read('after')).toBe(read('before'));

	rmSync(join(folder, 'saved'));
	const second = await start();
	await see('ready');
	press('ctrl+z');
	await stopped(second);
	await run('true');
	setMark();
	await run('kill %1');
	await ended(second);
	await run('stty -a');
	expect(has('saved')).toBe(true);
	expect(said()).not.toMatch(written);

	setMark();
	const third = await start(' &');
	await seeStopped();
	expect(said()).not.toMatch(written);
	await continueJob('z');
	// A program gets the terminal as it is in the foreground, where Enter ends a line.
	press('e');
	await see('inside');
	type('line\r');
	await see(/^pid \d+\n/m);
	press('q');
	await ended(third);
	await run('true');
	expect(terminal.modes()).toMatchObject({alternateScreen: false, mouse: false, kittyKeyboard: 0});
	type('exit\r');
	await terminal.exit();
});

test.each([
	['a script', () => `sh -c 'echo $$ >starter; ${program} .; true'\r`],
	['a shell with job control', () => `bash --norc --noprofile -i\recho $$ >starter; ${program} .\r`],
])('the program saves and gives the terminal back if %s that started it is killed', async (_, start) => {
	const terminal = openTerminal({
		command: 'bash',
		args: ['--norc', '--noprofile', '-i'],
		env: {...process.env, PS1: 'shell> ', HISTFILE: ''},
		columns: 100,
		rows: 24,
	});
	await terminal.see('shell>');
	terminal.type(`cd "${folder}"\r${start()}`);
	await terminal.see('ready');
	const pid = Number(read('pid'));
	onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
	process.kill(Number(read('starter')), 'SIGKILL');
	// The shell around it has the terminal: what is typed there can't be read.
	await eventually(async () => {
		terminal.type('\r');
		expect(isAlive(pid)).toBe(false);
	});
	expect(read('saved')).toBe('yes');
	expect(has('crashes')).toBe(false);
	await expect.poll(() => terminal.modes()).toMatchObject({...clean, bracketedPaste: expect.any(Boolean)});
	terminal.type('echo still"" here\r');
	await terminal.see('still here');
	terminal.type('exit\r');
	await terminal.exit();
});

test('reset-terminal gives back what a kill left: the modes, the echo and the lines', async () => {
	const crashed = `stty -icanon -icrnl -isig -opost -echo; printf '\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[?25l'`;
	const terminal = openShell(`${crashed}; "${process.execPath}" "${builtCli}" reset-terminal`);
	await terminal.see('the end');
	await terminal.exit();
	expect(read('code').trim()).toBe('0');
	expect(read('after')).toBe(read('before'));
	// It can't know how many keyboard modes to take back, and takes back more than any program sets.
	const {kittyKeyboard: _, ...modes} = clean;
	expect(terminal.modes()).toMatchObject(modes);
});
