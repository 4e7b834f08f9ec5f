import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {isAlive, processState} from '../support/is-alive.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';

const fixture = new URL('fixtures/screen.ts', import.meta.url).pathname;
const program = `"${process.execPath}" "${fixture}"`;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'jobs-'));
});
afterEach(() => {
	rmSync(folder, {recursive: true, force: true});
});

const has = (name: string) => existsSync(join(folder, name));
const pidOf = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
const isOnPath = (name: string) =>
	(process.env.PATH ?? '').split(delimiter).some(place => existsSync(join(place, name)));

/** What the screen writes and no shell does: its modes, screens, cursor, title and questions. */
const ours = /\x1b(?:\[\?(?:25|1000|1002|1004|1006|1049|2026|2031)[hl]|\[[<>]\d*u|\]\d|\[2[23];2t)/;

type Shell = {
	readonly name: string;
	readonly args: readonly string[];
	/** It continues a stopped job that it sends SIGTERM or SIGHUP. */
	readonly continues: boolean;
};

const shells: readonly Shell[] = [
	{name: 'bash', args: ['--norc', '--noprofile', '-i'], continues: true},
	{name: 'dash', args: ['-i'], continues: false},
	{name: 'zsh', args: ['-f', '-i'], continues: true},
];

/** A shell with job control in which the screen can be started; `said` is what was written since `mark`. */
async function openShell({name, args}: Shell, settings = 'true') {
	const terminal = openTerminal({
		command: name,
		args: [...args],
		env: {...process.env, PS1: 'shell> ', PROMPT: 'shell> ', HISTFILE: '', ENV: ''},
		columns: 200,
		rows: 60,
	});
	let start = 0;
	await terminal.see('shell>');
	terminal.type(`cd "${folder}"; ${settings}; echo set''tled\r`);
	await terminal.see('settled');
	const shell = {
		terminal,
		mark: () => {
			start = terminal.output().length;
		},
		said: () => terminal.output().slice(start),
		/** Runs a command line; resolves when the shell has done it. */
		async run(line: string) {
			const word = `done${Math.random().toString(36).slice(2)}`;
			terminal.type(`${line}; echo ${word.slice(0, 5)}''${word.slice(5)}\n`);
			await terminal.see(word);
		},
		async startScreen(suffix = '') {
			terminal.type(`${program} .${suffix}\r`);
			await expect.poll(() => has('pid') && pidOf() > 0).toBe(true);
			const pid = pidOf();
			onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
			return pid;
		},
		/** The process is stopped and the shell has noticed: until then, its `fg` and `bg` would continue nothing. */
		async seesStopped(pid: number) {
			await stopped(pid);
			await eventually(async () => {
				await shell.run('jobs');
				expect(terminal.output().slice(start)).toMatch(/stopped|suspended/i);
			});
		},
		/** Ctrl+Z: from here on nothing of ours may be written. */
		async suspend() {
			const pid = await shell.startScreen();
			await terminal.see('ready');
			terminal.press('ctrl+z');
			await stopped(pid);
			await shell.run('true');
			expect(has('kept')).toBe(true);
			shell.mark();
			return pid;
		},
	};
	return shell;
}

const stopped = (pid: number) => expect.poll(() => processState(pid)).toBe('T');
const ended = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

async function expectBack({terminal, run}: {terminal: Terminal; run(line: string): Promise<void>}) {
	await terminal.see('ready');
	terminal.type('x');
	await terminal.see('key "x"');
	expect(terminal.modes()).toMatchObject({
		alternateScreen: true,
		mouse: true,
		focusReports: true,
		kittyKeyboard: 1,
	});
	terminal.press('q');
	await expect.poll(() => terminal.modes().alternateScreen).toBe(false);
	await run('true');
	expect(terminal.modes()).toMatchObject({
		alternateScreen: false,
		mouse: false,
		focusReports: false,
		kittyKeyboard: 0,
	});
}

for (const shell of shells) {
	describe.skipIf(!isOnPath(shell.name))(`in ${shell.name}`, () => {
		test.each([
			['bg', 'true'],
			['kill -CONT %1', 'true'],
			['bg', 'stty tostop'],
		])('after Ctrl+Z, %s (%s) stops again and writes nothing; fg draws all', async (line, settings) => {
			const {terminal, run, said, suspend} = await openShell(shell, settings);
			const pid = await suspend();
			await run(`${line}; echo`);
			await stopped(pid);
			await run('jobs');
			expect(said()).not.toMatch(ours);
			terminal.type('fg\r');
			await expectBack({terminal, run});
			await ended(pid);
		});

		test.each(['SIGTERM', 'SIGHUP'])('%s while it is stopped ends it and writes nothing', async signal => {
			const {run, said, suspend} = await openShell(shell);
			const pid = await suspend();
			await run(`kill -${signal.slice(3)} %1`);
			if (!shell.continues) await run('kill -CONT %1');
			await ended(pid);
			await run('stty -a');
			expect(has('saved')).toBe(true);
			expect(said()).not.toMatch(ours);
		});

		test.each(['SIGTERM', 'SIGHUP', 'SIGINT'])(
			'%s by its process id, then bg, ends it and writes nothing',
			async signal => {
				const {run, said, suspend} = await openShell(shell);
				const pid = await suspend();
				process.kill(pid, signal);
				await run('bg; echo');
				await ended(pid);
				await run('stty -a');
				expect(has('saved')).toBe(true);
				expect(said()).not.toMatch(ours);
			},
		);

		test('killing the shell saves and ends a stopped screen', async () => {
			const {terminal, suspend} = await openShell(shell);
			const pid = await suspend();
			terminal.kill('SIGKILL');
			await ended(pid);
			expect(has('saved')).toBe(true);
		});

		test('a screen stopped by SIGSTOP writes nothing more after bg and SIGTERM', async () => {
			const {terminal, run, said, mark, startScreen} = await openShell(shell);
			const pid = await startScreen();
			await terminal.see('ready');
			process.kill(pid, 'SIGSTOP');
			await stopped(pid);
			await run('true');
			mark();
			await run('bg; echo');
			await stopped(pid);
			process.kill(pid, 'SIGTERM');
			await run('bg; echo');
			await ended(pid);
			await run('stty -a');
			expect(has('saved')).toBe(true);
			expect(said()).not.toMatch(ours);
		});

		test('a screen started in the background waits until fg opens it', async () => {
			const {terminal, run, said, mark, startScreen, seesStopped} = await openShell(shell);
			mark();
			const pid = await startScreen(' &');
			await seesStopped(pid);
			expect(said()).not.toMatch(ours);
			terminal.type('fg\r');
			await expectBack({terminal, run});
			await ended(pid);
		});

		test('a screen started and ended in the background writes nothing', async () => {
			const {run, said, mark, startScreen, seesStopped} = await openShell(shell);
			mark();
			const pid = await startScreen(' &');
			await seesStopped(pid);
			process.kill(pid, 'SIGTERM');
			await run('bg; echo');
			await ended(pid);
			expect(said()).not.toMatch(ours);
		});
	});
}
