import {createInterface} from 'node:readline';
import {UsageError} from './errors.ts';
import {untilAborted} from './interrupts.ts';
import {cliStrings} from './strings.ts';

/**
 * Asks a question on the terminal; anything but `y` or `yes` means no. Throws `UsageError` when there is no
 * terminal to answer on, and the signal's reason when aborted.
 */
export async function confirm(
	question: string,
	signal: AbortSignal,
	advice = cliStrings.confirm.addYesOrDryRun,
): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) {
		throw new UsageError(cliStrings.confirm.noTerminal(advice));
	}
	// Leave the terminal in its own mode: it edits the line, and Ctrl+C sends a signal.
	const lines = createInterface({input: process.stdin, terminal: false});
	const {promise, resolve, reject} = Promise.withResolvers<boolean>();
	untilAborted(signal).then(() => reject(signal.reason));
	lines.once('line', line => resolve(/^\s*y(es)?\s*$/i.test(line)));
	lines.once('close', () => resolve(false));
	process.stderr.write(`${question} [y/N] `);
	try {
		return await promise;
	} finally {
		lines.close();
		process.stdin.pause();
	}
}
