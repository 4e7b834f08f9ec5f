import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {endProcesses} from '../support/end-processes.ts';
import {installClients, prepareClients} from './clients.ts';
import {startModel} from './model.ts';

export const builtCli = resolve(import.meta.dirname, '../../dist/cli.cjs');

/** Longest wait for anything, ms. */
export const limit = 30_000;

export type Pty = {
	readonly pid: number;
	screen(): string;
	write(text: string): void;
	/** Resolves to how long it took, ms. */
	see(what: RegExp): Promise<number>;
	gone(what: RegExp): Promise<number>;
	kill(signal?: string): void;
};

/**
 * A home with real clients, which reach nothing but a stand-in for their models. `REAL_AGENTS_BIN` names a folder of
 * installed clients, to use these; `REAL_AGENTS_CLAUDE` is the version of Claude Code that is installed otherwise.
 */
export async function startClaudeHome(clients: readonly string[] = ['claude']) {
	const top = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-claude-')));
	const [home, work, runtime] = [join(top, 'home'), join(top, 'work'), join(top, 'run')];
	for (const folder of [home, work, runtime]) mkdirSync(folder, {mode: 0o700});
	const model = await startModel();
	let missed = 0;
	const env: Record<string, string> = {
		...prepareClients(home, work, model.url),
		PATH: `${installClients(top, clients)}:${process.env.PATH}`,
		TMPDIR: top,
		XDG_RUNTIME_DIR: runtime,
		LANG: 'C.UTF-8',
		TERM: 'xterm-256color',
		SHELL: '/bin/sh',
	};
	const check = (what: string, isGood: boolean, found = '') => {
		if (!isGood) missed++;
		process.stdout.write(`${isGood ? 'ok    ' : 'MISSED'} ${what}${found && ` (${found})`}\n`);
	};
	return {
		home,
		work,
		env,
		check,
		open: (file: string, args: string[]) => open(file, args, {cwd: work, env}),
		/** Runs the stories and ends the process: with 1 when a finding is missed. */
		async run(stories: () => Promise<void>): Promise<never> {
			await stories().catch(error => check('the run', false, (error as Error).message));
			model.close();
			await endProcesses(home);
			rmSync(top, {recursive: true, force: true, maxRetries: 3});
			process.exit(missed === 0 ? 0 : 1);
		},
	};
}

function open(
	file: string,
	args: string[],
	options: {readonly cwd: string; readonly env: Record<string, string>},
): Pty {
	const screen = new xterm.Terminal({cols: 120, rows: 40, allowProposedApi: true});
	const child = spawn(file, args, {cols: 120, rows: 40, ...options});
	child.onData(data => screen.write(data));
	screen.onData(data => child.write(data));
	const text = () =>
		Array.from({length: 40}, (_, row) =>
			screen.buffer.active.getLine(screen.buffer.active.baseY + row)?.translateToString(true),
		).join('\n');
	const until = async (isTrue: () => boolean, what: string) => {
		const from = Date.now();
		while (!isTrue()) {
			if (Date.now() - from > limit) throw new Error(`no ${what} on the screen:\n${text()}`);
			await new Promise(next => setTimeout(next, 25));
		}
		return Date.now() - from;
	};
	return {
		pid: child.pid,
		screen: text,
		write: input => child.write(input),
		see: what => until(() => what.test(text()), `${what}`),
		gone: what => until(() => !what.test(text()), `end of ${what}`),
		kill: signal => child.kill(signal),
	};
}
