import {createInterface} from 'node:readline';
import type {CommandContext} from './context.ts';
import {UsageError} from './errors.ts';
import {untilAborted} from './interrupts.ts';
import {cliStrings} from './strings.ts';

/** Whether the user agrees, or has with `--yes`. Throws `UsageError` for `--json` without it. */
export async function agrees(context: CommandContext, question: string): Promise<boolean> {
	const {json, addYes} = cliStrings.confirm;
	if (context.flags.is('yes')) return true;
	if (context.output.isJson) throw new UsageError(json(addYes));
	return confirm(context, question, addYes);
}

/**
 * Asks a question on the terminal; anything but `y` or `yes` means no. Throws `UsageError` when there is no
 * terminal to answer on, and the signal's reason when aborted.
 */
export async function confirm(
	{system: {stdin, stderr}, output, signal}: CommandContext,
	question: string,
	advice = cliStrings.confirm.addYesOrDryRun,
): Promise<boolean> {
	if (!stdin.isTTY || !stderr.isTTY) {
		throw new UsageError(cliStrings.confirm.noTerminal(advice));
	}
	// Leave the terminal in its own mode: it edits the line, and Ctrl+C sends a signal.
	const lines = createInterface({input: stdin, terminal: false});
	const {promise, resolve, reject} = Promise.withResolvers<boolean>();
	untilAborted(signal).then(() => reject(signal.reason));
	lines.once('line', line => resolve(/^\s*y(es)?\s*$/i.test(line)));
	lines.once('close', () => resolve(false));
	output.ask(question);
	try {
		return await promise;
	} finally {
		lines.close();
		stdin.pause();
	}
}
