import type {Clock} from '../sync/clock.ts';
import {cleanLine} from '../text/clean.ts';
import {jsonText} from '../text/json-text.ts';
import {lineText} from '../text/line.ts';
import type {Safe} from '../text/safe.ts';
import {type Column, tableLines} from '../text/table.ts';
import {delay} from './delay.ts';

/** Where a command's words go: data to stdout, all else to stderr. */
export type Output = {
	readonly isJson: boolean;
	/** One JSON value on a line of its own. */
	json(value: unknown): void;
	line(text: Safe): void;
	table(columns: readonly Column[], rows: readonly (readonly Safe[])[]): void;
	/**
	 * Lines of a list that is printed in parts. Resolves when stdout has taken them. `isLast`: nothing is read after them.
	 * Otherwise a reader that has enough (`| head -1`) gets the chance to go, so that the next part is never asked for.
	 * Rejects when the command is interrupted or stdout can't be written.
	 */
	part(lines: readonly Safe[], isLast: boolean, reading: {clock: Clock; signal: AbortSignal}): Promise<void>;
	/** Resolves when stdout has taken everything; rejects like `part`. */
	taken(signal: AbortSignal): Promise<void>;
	/** One line to the user, on stderr; foreign words are cleaned here. */
	note(text: string): void;
};

export type OutputStreams = {
	readonly stdout: {readonly isTTY?: boolean; write(text: string, taken?: () => void): unknown};
	readonly stderr: {write(text: string): unknown};
};

const maxNoteLength = 2048;
/**
 * How long the last line of the first part is held back, ms. Only a write tells that the reader of a pipe has gone, and
 * `head` needs a moment to go.
 */
const goingTime = 60;

export function createOutput(isJson: boolean, {stdout, stderr}: OutputStreams): Output {
	let isFirstPart = true;
	const write = (text: string) => void stdout.write(text);
	const taken = (signal: AbortSignal) =>
		untilAborted(new Promise<void>(resolve => stdout.write('', () => resolve())), signal);
	return {
		isJson,
		json: value => write(`${jsonText(value)}\n`),
		line: text => write(`${text}\n`),
		table(columns, rows) {
			const cells = rows.map(row => row.map(text => ({text})));
			for (const line of tableLines(columns, cells)) write(`${lineText(line)}\n`);
		},
		async part(lines, isLast, {clock, signal}) {
			const isProbed = isFirstPart && !isLast && stdout.isTTY !== true && lines.length > 1;
			isFirstPart &&= lines.length === 0;
			const [last, ...others] = isProbed ? [lines.at(-1), ...lines.slice(0, -1)] : [undefined, ...lines];
			if (others.length > 0) write(`${others.join('\n')}\n`);
			if (last !== undefined) {
				await delay(clock, goingTime, signal);
				write(`${last}\n`);
			}
			await taken(signal);
		},
		taken,
		note: text => void stderr.write(`quarterdeck: ${cleanLine(text, maxNoteLength)}\n`),
	};
}

/** A reader that stands still must not hold up an interrupt. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
	const {promise, reject} = Promise.withResolvers<void>();
	const onAbort = () => reject(signal.reason);
	signal.addEventListener('abort', onAbort);
	if (signal.aborted) onAbort();
	try {
		await Promise.race([work, promise]);
		// A stream tells its error after the write is over.
		await new Promise(setImmediate);
		signal.throwIfAborted();
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
