import {delay} from '../../api/http/timing.ts';
import type {Clock} from '../../domain/clock.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {jsonText} from '../../text/values/export-text.ts';
import type {CommandContext} from '../cli/context.ts';

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

/** Prints the result of a change that must not be made twice. */
export async function printResult<T>(
	{output, signal}: CommandContext,
	done: string,
	print: () => T | Promise<T>,
): Promise<T> {
	try {
		const result = await print();
		await output.flush(signal);
		return result;
	} catch (error) {
		output.note(done);
		throw error;
	}
}

type ProgressStream = {readonly isTTY?: boolean | undefined; write(text: string): unknown};

/** Minimum time between redraws, ms. */
const redrawInterval = 100;

/** Progress of a long read on stderr, as one line that redraws itself. Shown on a terminal only. */
export function createProgress(stream: ProgressStream, clock: Clock) {
	// A short read shows no progress.
	let lastAt = clock.now();
	let isShown = false;
	return {
		show(text: string) {
			const now = clock.now();
			if (stream.isTTY !== true || now - lastAt < redrawInterval) return;
			lastAt = now;
			stream.write(`\r${cleanLine(text, 78)}\x1b[K`);
			isShown = true;
		},
		end() {
			if (isShown) stream.write('\r\x1b[K');
			isShown = false;
		},
	};
}
