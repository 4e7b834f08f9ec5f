import type {Clock} from '../../domain/clock.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {jsonText} from '../../text/values/export-text.ts';
import type {CommandContext} from '../cli/context.ts';
import {wrapLines} from './wrap-lines.ts';

export type Output = ReturnType<typeof createOutput>;

type OutputStreams = {
	readonly stdout: {
		readonly isTTY?: boolean;
		readonly columns?: number;
		write(text: string, onWritten?: () => void): unknown;
	};
	readonly stderr: {readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown};
};

const maxNoteLength = 2048;
/** A command's output: data to stdout, everything else to stderr. */
export function createOutput(isJson: boolean, {stdout, stderr}: OutputStreams) {
	const write = (text: string) => void stdout.write(text);
	/** Resolves when stdout has accepted everything; rejects if interrupted, or if stdout can't be written. */
	const flush = (signal: AbortSignal) =>
		unlessAborted(new Promise<void>(resolve => stdout.write('', () => resolve())), signal);
	/** Writes one line to stderr, over a line of progress; cleans foreign text. */
	const note = (text: string) => {
		const line = wrapped(`quarterdeck: ${cleanLine(text, maxNoteLength)}`, stderr);
		stderr.write(`${stderr.isTTY ? '\r\x1b[K' : ''}${line}\n`);
	};
	return {
		isJson,
		/** Width of the terminal of stdout, in columns; undefined for a pipe or a file, or if the terminal reports 0. */
		columns: (stdout.isTTY && stdout.columns) || undefined,
		json: (value: unknown) => write(`${jsonText(value)}\n`),
		line: (text: Safe) => write(`${text}\n`),
		/** Writes lines of ours, which may be long: on a terminal, they break at words. */
		text: (text: Safe) => write(`${wrapped(text, stdout)}\n`),
		/** Writes part of a list. Resolves and rejects like `flush`. */
		part(lines: readonly Safe[], signal: AbortSignal): Promise<void> {
			if (lines.length > 0) write(`${lines.join('\n')}\n`);
			return flush(signal);
		},
		flush,
		note,
		ask: (question: string) => void stderr.write(`${wrapped(`${question} [y/N]`, stderr)} `),
		/** Says on stderr what only a person at a terminal needs, such as that more can be printed. */
		remark(text: string) {
			if (stderr.isTTY === true) note(text);
		},
	};
}

function wrapped(
	text: string,
	{isTTY, columns}: {readonly isTTY?: boolean; readonly columns?: number},
): string {
	return isTTY && columns ? wrapLines(text, columns) : text;
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
