import {existsSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import type {Environment} from '../../config/folders.ts';
import {keyVariable} from '../../config/key-source.ts';
import {type Clock, systemClock} from '../../domain/clock.ts';
import {folderBeforeNpm} from '../../domain/own-program.ts';
import {createOutput} from '../output/output.ts';
import {watchProcess} from './interrupts.ts';
import {cliStrings} from './strings.ts';

/** What a run of the program gets from the system: its process, or what a test makes. */
export type System = {
	readonly stdin: typeof process.stdin | (Readable & {readonly isTTY?: false});
	readonly stdout: typeof process.stdout | (Writable & {readonly isTTY?: false});
	readonly stderr: typeof process.stderr | (Writable & {readonly isTTY?: false});
	readonly env: Environment;
	/** The user's home, absolute. */
	readonly home: string;
	/** The folder that relative paths start from. */
	readonly folder: string;
	/** The script that runs; the hooks are beside it. */
	readonly script: string;
	/** The process's id, by which others see whether it still runs. */
	readonly pid: number;
	readonly clock: Clock;
	/** Calls `abort` when the user or the system ends the program, or with a bug that nobody caught. See `watchProcess`. */
	readonly watch: typeof watchProcess;
};

/**
 * The process that runs. Takes the key out of its environment, so that child processes don't inherit it, and changes its
 * title, so that process lists don't show the command line, a message's text included.
 */
export function thisProcess(): System {
	process.title = 'quarterdeck';
	const home = findHome();
	const env = {...process.env};
	delete process.env[keyVariable];
	const {stdin, stdout, stderr} = process;
	return {
		stdin,
		stdout,
		stderr,
		env,
		home,
		folder: workingFolder(home),
		script: process.argv[1] ?? '',
		pid: process.pid,
		clock: systemClock,
		watch: watchProcess,
	};
}

/**
 * The home folder, absolute; children get the same. An empty or relative `HOME` counts as unset. A user id without a
 * name, as in containers, gets the root folder, like Docker.
 */
function findHome(): string {
	if (!isAbsolute(process.env.HOME ?? '')) delete process.env.HOME;
	try {
		process.env.HOME = homedir();
	} catch {
		process.env.HOME = '/';
	}
	return homedir();
}

/** Returns the working folder: the one the user is in. If that was removed, switches to `home`. */
function workingFolder(home: string): string {
	const before = folderBeforeNpm(process.env);
	// Of this program alone: those that it starts are in folders of their own.
	delete process.env.INIT_CWD;
	try {
		if (before !== undefined) process.chdir(before);
		// Node caches the result: removing the folder later changes nothing.
		return process.cwd();
	} catch {
		process.chdir(existsSync(home) ? home : '/');
		createOutput(false, process).note(cliStrings.run.folderRemoved(home));
		return process.cwd();
	}
}
