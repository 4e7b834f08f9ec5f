import type {Clock} from '../../sync/core/clock.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {jsonText} from '../../text/values/export-text.ts';
import {delay} from '../cli/delay.ts';

/** A command's output: data to stdout, everything else to stderr. */
export type Output = {
	readonly isJson: boolean;
	/** One JSON value on a line of its own. */
	json(value: unknown): void;
	line(text: Safe): void;
	/**
	 * Prints lines of a list in parts. Resolves when stdout has accepted them. `isLast`: no more reading
	 * follows. Otherwise a satisfied reader (`| head -1`) gets time to exit before the next part is requested.
	 * Rejects when the command is interrupted or stdout can't be written.
	 */
	part(lines: readonly Safe[], isLast: boolean, reading: {clock: Clock; signal: AbortSignal}): Promise<void>;
	/** Resolves when stdout has accepted everything; rejects like `part`. */
	flush(signal: AbortSignal): Promise<void>;
	/** Writes one line to stderr; cleans foreign text. */
	note(text: string): void;
};

export type OutputStreams = {
	readonly stdout: {readonly isTTY?: boolean; write(text: string, taken?: () => void): unknown};
	readonly stderr: {write(text: string): unknown};
};

const maxNoteLength = 2048;
/**
 * How long to hold back the last line of the first part, ms. Only a write reveals that a pipe's reader has
 * gone, and `head` needs a moment to exit.
 */
const exitTime = 60;

export function createOutput(isJson: boolean, {stdout, stderr}: OutputStreams): Output {
	let isFirstPart = true;
	const write = (text: string) => void stdout.write(text);
	const flush = (signal: AbortSignal) =>
		untilAborted(new Promise<void>(resolve => stdout.write('', () => resolve())), signal);
	return {
		isJson,
		json: value => write(`${jsonText(value)}\n`),
		line: text => write(`${text}\n`),
		async part(lines, isLast, {clock, signal}) {
			const isProbed = isFirstPart && !isLast && stdout.isTTY !== true && lines.length > 1;
			isFirstPart &&= lines.length === 0;
			const [last, ...others] = isProbed ? [lines.at(-1), ...lines.slice(0, -1)] : [undefined, ...lines];
			if (others.length > 0) write(`${others.join('\n')}\n`);
			if (last !== undefined) {
				await delay(clock, exitTime, signal);
				write(`${last}\n`);
			}
			await flush(signal);
		},
		flush,
		note: text => void stderr.write(`quarterdeck: ${cleanLine(text, maxNoteLength)}\n`),
	};
}

/** A reader that stops reading must not block an interrupt. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
	const {promise, reject} = Promise.withResolvers<void>();
	const onAbort = () => reject(signal.reason);
	signal.addEventListener('abort', onAbort);
	if (signal.aborted) onAbort();
	try {
		await Promise.race([work, promise]);
		// A stream emits its error after the write callback.
		await new Promise(setImmediate);
		signal.throwIfAborted();
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
