import {cleanText} from '../text/clean.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {findCommand, helpText, unknownCommand} from './help.ts';
import {commands} from './table.ts';
import {UsageError} from './usage-error.ts';

/** Prints the help of the program, of a command group or of one command. */
export async function showHelp({args, output}: CommandContext): Promise<ExitCode> {
	const isKnown =
		args.length === 0 ||
		findCommand(args) ||
		commands.some(({path}) => path === args[0] || path.startsWith(`${args[0]} `));
	if (!isKnown) throw new UsageError(unknownCommand(args));
	output.line(cleanText(helpText(args).trimEnd(), {maxLength: 1024 * 1024, isDrawn: false}));
	return exitCodes.done;
}
