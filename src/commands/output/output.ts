import {delay} from '../../api/http/timing.ts';
import type {Clock} from '../../domain/clock.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {jsonText} from '../../text/values/export-text.ts';

export type Output = ReturnType<typeof createOutput>;

type OutputStreams = {
	readonly stdout: {
		readonly isTTY?: boolean;
		readonly columns?: number;
		write(text: string, onWritten?: () => void): unknown;
	};
	readonly stderr: {readonly isTTY?: boolean; write(text: string): unknown};
};

const maxNoteLength = 2048;
/**
 * How long to hold back the last line of the first part, ms. Only a write reveals that a pipe's reader has
 * exited, and `head` needs a moment to exit.
 */
const exitTime = 60;

/** A command's output: data to stdout, everything else to stderr. */
export function createOutput(isJson: boolean, {stdout, stderr}: OutputStreams) {
	let isFirstPart = true;
	const write = (text: string) => void stdout.write(text);
	/** Resolves when stdout has accepted everything; rejects like `part`. */
	const flush = (signal: AbortSignal) =>
		unlessAborted(new Promise<void>(resolve => stdout.write('', () => resolve())), signal);
	/** Writes one line to stderr; cleans foreign text. */
	const note = (text: string) => void stderr.write(`quarterdeck: ${cleanLine(text, maxNoteLength)}\n`);
	return {
		isJson,
		/** Width of the terminal of stdout, in columns; undefined for a pipe or a file, or if the terminal reports 0. */
		columns: (stdout.isTTY && stdout.columns) || undefined,
		/** Writes one JSON value on a line of its own. */
		json: (value: unknown) => write(`${jsonText(value)}\n`),
		line: (text: Safe) => write(`${text}\n`),
		/**
		 * Writes part of a list. Resolves when stdout has accepted it. `isLast`: no more reading follows. Otherwise
		 * a reader that has enough (`| head -1`) gets time to exit before the next part is requested. Rejects when
		 * the command is interrupted or stdout can't be written.
		 */
		async part(
			lines: readonly Safe[],
			isLast: boolean,
			{clock, signal}: {clock: Clock; signal: AbortSignal},
		): Promise<void> {
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
		note,
		/** Says on stderr what only a person at a terminal needs, such as that a list is empty. */
		remark(text: string) {
			if (stderr.isTTY === true) note(text);
		},
	};
}

/** Waits for `work`, but rejects when aborted: a reader that stops reading must not block an interrupt. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
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
