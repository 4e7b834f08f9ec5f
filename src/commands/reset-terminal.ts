import {spawn} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {isatty} from 'node:tty';
import {undoEverything} from '../term/modes.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {strings} from './strings.ts';

/** Restores the terminal after a crash: modes by escape sequences, echo and line mode by `stty sane`. */
export async function resetTerminal({output, system: {stdout}, signal}: CommandContext): Promise<ExitCode> {
	if (!stdout.isTTY) {
		output.note(strings.resetTerminal.noTerminal);
		return exitCodes.refused;
	}
	stdout.write(undoEverything());
	const {promise, resolve} = Promise.withResolvers<boolean>();
	const child = spawn('stty', ['sane'], {stdio: ['inherit', 'ignore', 'ignore'], signal});
	child.on('error', () => resolve(false));
	child.on('close', code => resolve(code === 0));
	if (await promise) {
		letGoOfTerminal();
		return exitCodes.done;
	}
	output.note(strings.resetTerminal.noStty);
	return exitCodes.refused;
}

/**
 * Replaces the terminal by /dev/null: on its way out, Node gives each terminal that it still has the settings that it
 * found, which are those of the crash.
 */
function letGoOfTerminal(): void {
	for (const fd of [0, 1, 2].filter(isatty)) {
		closeSync(fd);
		// Takes the lowest free number, which is the one just closed.
		openSync(devNull, 'r+');
	}
}
