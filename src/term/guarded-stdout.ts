import {EventEmitter} from 'node:events';
import type {WriteStream} from 'node:tty';
import type {TerminalModes} from './modes.ts';

/** Debounce time for resizes, ms: dragging a window edge causes many of them. */
const resizeDelay = 40;
const fallback = {columns: 80, rows: 24} as const;
const color = '(?:[0-79]|8;(?:5;\\d+|2;\\d+;\\d+;\\d+))m';
/**
 * A color with no text before the next one of its kind. Ink repeats all colors of a row up to its first change: half
 * the bytes of a scrolled page.
 */
const unusedColor = new RegExp(`\\x1b\\[([34])${color}(?=(?:\\x1b\\[[\\d;]*m)*?\\x1b\\[\\1${color})`, 'g');

/** Every sequence that Ink 8.0.0 writes with our options, without its ESC. No other may pass. */
const ours = [
	'\\[[\\d;:]{0,80}m', // text styles
	'\\[\\d{0,4}[ABCDEG]', // cursor by rows and columns
	'\\[\\d{1,4};\\d{1,4}H',
	'\\[2?K',
	'\\[J',
	'\\[\\?(?:25|1049|2004|2026)[hl]', // cursor, alternate screen, bracketed paste, synchronized update
	'\\[\\?u', // kitty keyboard: ask, push, pop
	'\\[>\\d{1,2}u',
	'\\[<u',
].join('|');

/** Control characters but line feed, an ESC of no such sequence, and bidirectional controls. */
const foreign = new RegExp(
	`[\\0-\\x09\\x0b-\\x1a\\x1c-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]|\\x1b(?!${ours})`,
	'g',
);

/**
 * Second line of defense after `cleanText`: replaces every control character in a frame that isn't part of
 * Ink's own sequences, and counts them. If `cleanText` is correct, the count stays 0.
 */
export function guardWrite(chunk: string): {text: string; foreign: number} {
	// `search` ignores lastIndex and allocates nothing: the only cost of a clean frame.
	if (chunk.search(foreign) === -1) return {text: chunk, foreign: 0};
	let count = 0;
	const text = chunk.replace(foreign, character => {
		count++;
		const code = character.charCodeAt(0);
		return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
	});
	return {text, foreign: count};
}

/**
 * The stdout given to Ink: checks writes, debounces resizes, never reports a size of zero. Emits `resize`, or `reset` if
 * the size is as before: a terminal that was resized meanwhile may have cut or moved what it shows.
 */
export class GuardedStdout extends EventEmitter {
	readonly isTTY = true;
	readonly writable = true;
	readonly writableEnded = false;
	columns: number;
	rows: number;
	/** Foreign characters replaced so far; shown in diagnostics. */
	foreign = 0;
	readonly #terminal: WriteStream;
	readonly #modes: TerminalModes;
	#isClosed = false;
	#resizeTimer: NodeJS.Timeout | undefined;
	readonly #resized = () => {
		clearTimeout(this.#resizeTimer);
		this.#resizeTimer = setTimeout(() => this.#applySize(), resizeDelay);
	};

	constructor(terminal: WriteStream, modes: TerminalModes) {
		super();
		this.#terminal = terminal;
		this.#modes = modes;
		this.columns = terminal.columns || fallback.columns;
		this.rows = terminal.rows || fallback.rows;
		terminal.on('resize', this.#resized);
		// Node's own event is left out if the size is as before.
		process.on('SIGWINCH', this.#resized);
	}

	get destroyed(): boolean {
		return this.#isClosed || this.#terminal.destroyed;
	}

	/** Writes Ink's frames: checked, and without unused colors. */
	write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		const checked = guardWrite(text);
		this.foreign += checked.foreign;
		this.writeRaw(checked.text.replace(unusedColor, ''));
		// Don't wait until the terminal has read the text.
		const callback = rest.find(isCallback);
		if (callback) queueMicrotask(callback);
		return true;
	}

	/** Writes our own sequences: title, bell, clipboard, reports. Their builders clean any text in them. */
	writeRaw(sequence: string): void {
		if (this.destroyed) return;
		this.#modes.follow(sequence);
		this.#terminal.write(sequence);
	}

	/** Called by Ink when it exits; the terminal itself stays open. */
	end(): this {
		return this;
	}

	getColorDepth(env?: NodeJS.ProcessEnv): number {
		return this.#terminal.getColorDepth(env);
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#resizeTimer);
		this.#terminal.off('resize', this.#resized);
		process.off('SIGWINCH', this.#resized);
	}

	#applySize(): void {
		const {columns, rows} = this.#terminal;
		if (!columns || !rows) return;
		if (columns === this.columns && rows === this.rows) {
			this.emit('reset');
			return;
		}
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

function isCallback(value: unknown): value is () => void {
	return typeof value === 'function';
}
