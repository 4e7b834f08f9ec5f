import {mkdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {onTestFinished} from 'vitest';
import {endProcesses} from './end-processes.ts';
import {temporaryFolder} from './local-service.ts';
import {openTerminal, type Terminal, type TerminalOptions, untilRead} from './terminal.ts';

const dist = resolve(import.meta.dirname, '../../dist');

/** The built program, as `npm run build` leaves it. */
export const builtCli = join(dist, 'cli.cjs');
export const builtHook = join(dist, 'hook.cjs');

/** A home that no program was ever started in; it goes with the test, and so does what runs there. */
export function emptyHome(): NodeJS.ProcessEnv {
	const home = temporaryFolder();
	onTestFinished(() => endProcesses(home));
	return homeIn(home);
}

/** The same in a folder of one's own. */
export function homeIn(home: string): NodeJS.ProcessEnv {
	mkdirSync(join(home, 'run'), {mode: 0o700});
	return environmentIn(home);
}

/** What a program has in this home: nothing of this process's environment but PATH, and the cache of compiled code. */
export function environmentIn(home: string) {
	return {
		PATH: process.env.PATH,
		HOME: home,
		XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
		XDG_RUNTIME_DIR: join(home, 'run'),
		TMPDIR: home,
		LANG: 'C.UTF-8',
		SHELL: '/bin/sh',
	};
}

/**
 * The built program in a pty, between two looks at the pty's settings: `Before` and `After` lines with the whole of
 * `stty -g` stand around it on the primary screen, and `Code` with its exit code ends it.
 */
export function openProgram(
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	size: Pick<TerminalOptions, 'columns' | 'rows' | 'background' | 'terminalEnv'>,
): Terminal {
	const script = `echo "Before $(stty -g)"; node "$0" "$@"; code=$?; echo "After $(stty -g)"; echo "Code $code"; ${untilRead}`;
	return openTerminal({
		command: '/bin/sh',
		args: ['-c', script, builtCli, ...args],
		env,
		cwd: env.HOME,
		lastWords: /^Code \d+\r?$/m,
		...size,
	});
}

/** The pty's settings before and after, read from what `openProgram` printed. */
export function settingsAround(terminal: Terminal): {before: string | undefined; after: string | undefined} {
	const find = (word: string) => new RegExp(`${word} ([0-9a-f:]+)`).exec(terminal.output())?.[1];
	return {before: find('Before'), after: find('After')};
}

/** The program that a shell runs. */
export function childOf(pid: number): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}
