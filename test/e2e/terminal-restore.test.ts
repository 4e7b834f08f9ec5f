import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {afterEach, beforeEach, expect, onTestFinished, test} from 'vitest';
import {isAlive} from '../support/is-alive.ts';
import {builtCli} from '../support/program.ts';
import {openTerminal, type Terminal, terminalEnvironment, untilRead} from '../support/terminal.ts';

const fixture = new URL('fixtures/screen.ts', import.meta.url).pathname;
const program = `"${process.execPath}" "${fixture}"`;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'terminal-'));
});
afterEach(() => {
	rmSync(folder, {recursive: true, force: true});
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const clean = {
	alternateScreen: false,
	bracketedPaste: false,
	mouse: false,
	focusReports: false,
	applicationCursorKeys: false,
	cursorHidden: false,
	kittyKeyboard: 0,
};

/** The fixture in a shell that notes the line discipline before and after, and the exit code. */
function open(argument = '', nodeFlags = ''): Terminal {
	const script = `cd "${folder}"; stty -g >before; NODE_OPTIONS="${nodeFlags}" ${program} . ${argument}; echo $? >code; stty -g >after; echo the end; ${untilRead}`;
	return openTerminal({
		command: '/bin/sh',
		args: ['-c', script],
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

test('quit gives everything back', async () => {
	const terminal = open();
	await terminal.see('ready');
	expect(terminal.modes()).toEqual({
		...clean,
		alternateScreen: true,
		bracketedPaste: true,
		mouse: true,
		focusReports: true,
		cursorHidden: true,
		kittyKeyboard: 1,
	});
	terminal.press('q');
	await expectGivenBack(terminal, 0);
	// The line that let the shell go may be echoed.
	expect(terminal.screen().trim()).toMatch(/^the end(\s+read)?$/);
});

test.each([
	['SIGTERM', 143],
	['SIGHUP', 129],
	['SIGINT', 130],
	['SIGQUIT', 131],
] as const)('%s gives everything back', async (signal, code) => {
	const terminal = open();
	await terminal.see('ready');
	process.kill(Number(read('pid')), signal);
	await expectGivenBack(terminal, code);
});

test.each([
	['an exception', 't', 'thrown *** \u241b[31m'],
	['a rejection', 'r', 'rejected ***'],
	['a broken frame', 'R', 'broken frame'],
])('%s gives everything back, then reports once', async (_, key, words) => {
	const terminal = open();
	await terminal.see('ready');
	terminal.press(key);
	await expectGivenBack(terminal, 1);
	const screen = terminal.screen();
	expect(screen).toContain(`quarterdeck crashed: Error: ${words}`);
	expect(screen.match(/quarterdeck crashed/g)).toHaveLength(1);
	const [report = '', ...others] = readdirSync(join(folder, 'crashes'));
	expect(others).toEqual([]);
	expect(screen.replaceAll('\n', '')).toContain(report);
	expect(statSync(join(folder, 'crashes', report)).mode & 0o777).toBe(0o600);
	expect(read(join('crashes', report))).not.toContain('s3cret');
	expect(read(join('crashes', report))).not.toContain(process.env.PATH ?? '');
});

test("keys, pastes, focus and mouse reach their listeners; hostile text doesn't reach the terminal", async () => {
	const terminal = open();
	await terminal.see('ready');
	terminal.type('x');
	await terminal.see('key "x"');
	terminal.paste('one\ntwo');
	await terminal.see('pasted 7');
	terminal.type('\x1b[O');
	await terminal.see('focused false');
	terminal.type('\x1b[<0;5;3M');
	await terminal.see('mouse 0 at 4,2');
	terminal.type('\x1b[200~never ends\r\nq');
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.see('interrupt');
	terminal.type('h');
	await terminal.see('hostile');
	terminal.type('s');
	await terminal.see('said');
	expect(terminal.output()).not.toMatch(/stray|\x1b\]0|\x1b\[2J|\x9b/);
	terminal.resize(100, 30);
	terminal.type('y');
	await terminal.see('key "y"');
	terminal.press('q');
	await expectGivenBack(terminal, 0);
});

test("a key typed before the first frame isn't echoed into it, and isn't lost", async () => {
	const terminal = open('late');
	await expect.poll(() => existsSync(join(folder, 'held'))).toBe(true);
	terminal.type('x');
	writeFileSync(join(folder, 'typed'), 'yes');
	await terminal.see('key "x"');
	expect(terminal.output()).toMatch(/^\x1b\]11;\?\x1b\\\r\x1b\[\?1049h/);
	terminal.press('q');
	await expectGivenBack(terminal, 0);
});

test('Ctrl+Z gives the terminal to the shell, and the screen comes back', async () => {
	const terminal = openTerminal({
		command: 'bash',
		args: ['--norc', '--noprofile', '-i'],
		env: {...process.env, PS1: 'shell> ', HISTFILE: ''},
		columns: 100,
		rows: 24,
	});
	await terminal.see('shell>');
	terminal.type(`cd "${folder}"; stty -g >before; clear\r`);
	terminal.type(`${program} .\r`);
	await terminal.see('ready');
	terminal.press('ctrl+z');
	await terminal.see('Stopped');
	expect(terminal.modes()).toEqual({...clean, bracketedPaste: terminal.modes().bracketedPaste});
	terminal.type('fg\r');
	await terminal.see('ready');
	terminal.type('x');
	await terminal.see('key "x"');
	expect(terminal.modes().kittyKeyboard).toBe(1);
	// Stopped and let go on by someone else: drawn again all the same.
	const pid = Number(read('pid'));
	process.kill(pid, 'SIGTSTP');
	await terminal.see(/Stopped[\s\S]*Stopped/);
	terminal.type('fg\r');
	await terminal.see('key "x"');
	terminal.press('q');
	await terminal.see('shell>');
	terminal.type('stty -g >after; exit\r');
	await terminal.exit();
	expect(read('after')).toBe(read('before'));
});

test("saving that never ends doesn't prevent the exit", async () => {
	const terminal = open('hang');
	await terminal.see('ready');
	process.kill(Number(read('pid')), 'SIGTERM');
	await expectGivenBack(terminal, 143);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
	'%s during the exit, and another at its end, cut nothing short',
	async signal => {
		const terminal = open('signals');
		await terminal.see('ready');
		const pid = Number(read('pid'));
		process.kill(pid, 'SIGTERM');
		await expect.poll(() => existsSync(join(folder, 'saving'))).toBe(true);
		process.kill(pid, signal);
		await expectGivenBack(terminal, 143);
		expect(read('saved after it')).toBe('yes');
		expect(read('cleaned up')).toBe('yes');
	},
);

test('a signal ends an exit that waits for a read that never ends', async () => {
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	const terminal = open('stuck');
	await terminal.see('ready');
	const pid = Number(read('pid'));
	terminal.press('q');
	await expect.poll(() => terminal.modes().alternateScreen).toBe(false);
	const isEnded = () => {
		if (isAlive(pid)) process.kill(pid, 'SIGINT');
		return !isAlive(pid);
	};
	await expect.poll(isEnded).toBe(true);
	await expectGivenBack(terminal, 130);
});

test('a program gets the terminal and gives it back', async () => {
	const terminal = open();
	await terminal.see('ready');
	terminal.press('e');
	await terminal.see('inside');
	expect(terminal.modes()).toEqual(clean);
	terminal.type('line\r');
	await terminal.see('ready');
	expect(terminal.modes()).toMatchObject({
		alternateScreen: true,
		mouse: true,
		focusReports: true,
		kittyKeyboard: 1,
	});
	terminal.press('q');
	await expectGivenBack(terminal, 0);
});

test('running out of memory gives everything back and saves first', async () => {
	const terminal = open('', '--max-old-space-size=150 --max-semi-space-size=1');
	await terminal.see('ready');
	terminal.press('m');
	await expectGivenBack(terminal, 1);
	expect(terminal.screen()).toContain('Error: out of memory: ');
});

test('SIGTERM saves and ends even if the terminal reads nothing', async () => {
	const terminal = open();
	await terminal.see('ready');
	terminal.pause();
	terminal.press('f');
	await expect.poll(() => existsSync(join(folder, 'flooded'))).toBe(true);
	const pid = Number(read('pid'));
	process.kill(pid, 'SIGTERM');
	await expect.poll(() => isAlive(pid)).toBe(false);
	expect(read('saved')).toBe('yes');
	terminal.resume();
});

test('a terminal that resumes reading gets the whole screen, and everything back at the end', async () => {
	const terminal = open();
	await terminal.see('ready');
	terminal.pause();
	terminal.press('f');
	await expect.poll(() => existsSync(join(folder, 'flooded'))).toBe(true);
	terminal.resume();
	await terminal.see(/^pid \d+\nflooded\n+$/);
	terminal.type('x');
	await terminal.see(/^pid \d+\nkey "x"\n+$/);
	terminal.press('q');
	await expectGivenBack(terminal, 0);
});

test('after a storm of resizes, the screen has the last size', async () => {
	const terminal = open();
	await terminal.see('ready');
	for (let i = 0; i < 60; i++) terminal.resize(20 + (i % 50), 5 + (i % 20));
	terminal.resize(60, 12);
	terminal.type('z');
	await terminal.see('key "z"');
	await terminal.see(/^pid \d+\nkey "z"\n+$/);
	terminal.press('q');
	await expectGivenBack(terminal, 0);
});

test.each([1, 9, 15, 25, 60, 110])(
	'a signal after %i characters of output leaves nothing on',
	async length => {
		const terminal = open();
		await expect.poll(() => terminal.output().length >= length).toBe(true);
		process.kill(Number(read('pid')), 'SIGTERM');
		await terminal.see('the end');
		await terminal.exit();
		expect(read('code').trim()).toBe('143');
		expect(read('after')).toBe(read('before'));
		expect(terminal.modes()).toEqual(clean);
	},
);

test.each(['in its session', 'in a session of its own'])(
	'the program saves and ends when the terminal is gone, %s',
	async where => {
		const script = where === 'in its session' ? `exec ${program} .` : `exec setsid -w ${program} .`;
		const pty = spawn('/bin/sh', ['-c', `cd "${folder}"; ${script}`], {
			name: 'xterm-256color',
			cols: 80,
			rows: 24,
			env: terminalEnvironment(process.env),
		});
		let output = '';
		pty.onData(data => {
			output += data;
		});
		await expect.poll(() => output.includes('ready')).toBe(true);
		const pid = Number(read('pid'));
		(pty as unknown as {destroy(): void}).destroy();
		await expect.poll(() => isAlive(pid)).toBe(false);
		expect(read('saved')).toBe('yes');
		expect(existsSync(join(folder, 'crashes'))).toBe(false);
	},
);

test.each([
	['a script', `sh -c 'echo $$ >starter; ${program} .; true'\r`],
	['a shell with job control', `bash --norc --noprofile -i\recho $$ >starter; ${program} .\r`],
])('the program saves and gives the terminal back if %s that started it is killed', async (_, start) => {
	const terminal = openTerminal({
		command: 'bash',
		args: ['--norc', '--noprofile', '-i'],
		env: {...process.env, PS1: 'shell> ', HISTFILE: ''},
		columns: 100,
		rows: 24,
	});
	await terminal.see('shell>');
	terminal.type(`cd "${folder}"\r${start}`);
	await terminal.see('ready');
	const pid = Number(read('pid'));
	onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
	process.kill(Number(read('starter')), 'SIGKILL');
	await expect.poll(() => isAlive(pid)).toBe(false);
	expect(read('saved')).toBe('yes');
	expect(existsSync(join(folder, 'crashes'))).toBe(false);
	await expect.poll(() => terminal.modes()).toMatchObject({...clean, bracketedPaste: expect.any(Boolean)});
	terminal.type('echo still"" here\r');
	await terminal.see('still here');
	terminal.type('exit\r');
	await terminal.exit();
});

test('reset-terminal gives back what a kill left: the modes, the echo and the lines', async () => {
	const reset = `"${process.execPath}" "${builtCli}" reset-terminal`;
	const crashed = `stty -icanon -icrnl -isig -opost -echo; printf '\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[?25l'`;
	const script = `cd "${folder}"; stty sane; stty -g >before; ${crashed}; ${reset}; echo $? >code; stty -g >after; echo the end; ${untilRead}`;
	const env = {PATH: process.env.PATH, HOME: folder};
	const terminal = openTerminal({
		command: '/bin/sh',
		args: ['-c', script],
		env,
		columns: 80,
		rows: 24,
		lastWords: /the end\r?$/m,
	});
	await terminal.see('the end');
	await terminal.exit();
	expect(read('code').trim()).toBe('0');
	expect(read('after')).toBe(read('before'));
	// It can't know how many keyboard modes to take back, and takes back more than any program sets.
	const {kittyKeyboard: _, ...modes} = clean;
	expect(terminal.modes()).toMatchObject(modes);
});
