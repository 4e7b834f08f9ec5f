import {EventEmitter} from 'node:events';
import type {WriteStream} from 'node:tty';
import type {TerminalModes} from './modes.ts';
import {shortenFrame} from './shorten-frame.ts';
import {guardWrite} from './write-guard.ts';

/** A terminal tells many sizes while its window is dragged; one is enough. ms. */
const resizeRest = 40;
const fallback = {columns: 80, rows: 24} as const;

/** How text gets to the terminal. */
export type Output = {
	/** False while nothing may be written: then writes are dropped. */
	isOpen(): boolean;
	write(text: string): void;
};

/** Straight to the terminal's stream. */
export function plainOutput(terminal: Pick<WriteStream, 'write'>): Output {
	// Its own method: others' may be held back later (`StrayWrites`).
	const write = terminal.write.bind(terminal);
	return {isOpen: () => true, write: text => void write(text)};
}

/**
 * The stdout given to Ink: every write goes through the guard, sizes are never zero and settle before they are told,
 * and after `close` nothing reaches the terminal any more.
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
	readonly #output: Output;
	readonly #modes: TerminalModes;
	#isClosed = false;
	#resting: NodeJS.Timeout | undefined;
	readonly #resized = () => {
		clearTimeout(this.#resting);
		this.#resting = setTimeout(() => this.#settle(), resizeRest);
	};

	constructor(terminal: WriteStream, modes: TerminalModes, output: Output = plainOutput(terminal)) {
		super();
		this.#terminal = terminal;
		this.#output = output;
		this.#modes = modes;
		this.columns = terminal.columns || fallback.columns;
		this.rows = terminal.rows || fallback.rows;
		terminal.on('resize', this.#resized);
	}

	get destroyed(): boolean {
		return this.#isClosed || this.#terminal.destroyed;
	}

	/** Ink's frames: checked, in as few bytes as the same picture takes. */
	write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		const checked = guardWrite(text);
		this.foreign += checked.foreign;
		return this.#pass(shortenFrame(checked.text), rest.find(isCallback));
	}

	/** Our own sequences: title, bell, clipboard, reports. They are made of checked parts where they are built. */
	writeRaw(sequence: string): void {
		this.#pass(sequence, undefined);
	}

	/** Ink asks for it when it exits; the terminal itself stays open. */
	end(): this {
		return this;
	}

	getColorDepth(env?: NodeJS.ProcessEnv): number {
		return this.#terminal.getColorDepth(env);
	}

	/** From now on writes are dropped. */
	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#resting);
		this.#terminal.off('resize', this.#resized);
	}

	#pass(text: string, callback: (() => void) | undefined): boolean {
		if (!this.destroyed && this.#output.isOpen()) {
			this.#modes.follow(text);
			this.#output.write(text);
		}
		// What the terminal has yet to read keeps nobody waiting.
		if (callback) queueMicrotask(callback);
		return true;
	}

	#settle(): void {
		const {columns, rows} = this.#terminal;
		if (!columns || !rows || (columns === this.columns && rows === this.rows)) return;
		this.columns = columns;
		this.rows = rows;
		this.emit('resize');
	}
}

function isCallback(value: unknown): value is () => void {
	return typeof value === 'function';
}
