import {spawn} from 'node:child_process';
import {undoEverything} from '../term/modes.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {strings} from './strings.ts';

/** Restores the terminal after a crash: modes by escape sequences, echo and line mode by `stty sane`. */
export async function resetTerminal({output, signal}: CommandContext): Promise<ExitCode> {
	if (!process.stdout.isTTY) {
		output.note(strings.resetTerminal.noTerminal);
		return exitCodes.refused;
	}
	process.stdout.write(undoEverything());
	const {promise, resolve} = Promise.withResolvers<boolean>();
	const child = spawn('stty', ['sane'], {stdio: ['inherit', 'ignore', 'ignore'], signal});
	child.on('error', () => resolve(false));
	child.on('close', code => resolve(code === 0));
	if (await promise) return exitCodes.done;
	output.note(strings.resetTerminal.noStty);
	return exitCodes.refused;
}
