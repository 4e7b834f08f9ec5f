import {Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import type {ReadStream} from 'node:tty';
import {InputFilter, type InputListeners} from './input-filter.ts';

/** How long the start of a sequence may wait for the rest of it, ms: Esc alone must not feel slow. */
const patience = {start: 10, answer: 500} as const;

/** The stdin given to Ink: the terminal's input behind the filter. Raw mode and references go to the terminal itself. */
export class GuardedStdin extends Readable {
	readonly isTTY = true;
	readonly #terminal: ReadStream;
	readonly #filter: InputFilter;
	readonly #decoder = new StringDecoder('utf8');
	#holding: NodeJS.Timeout | undefined;
	readonly #reading: () => void;
	readonly #received = (chunk: Buffer | string) => this.#receive(chunk);

	/** `reading` is told each time that reading begins: from then on what the terminal answers comes here. */
	constructor(terminal: ReadStream, listeners: Omit<InputListeners, 'keys'>, reading: () => void) {
		super({highWaterMark: 4 * 1024 * 1024});
		this.#terminal = terminal;
		this.#reading = reading;
		this.#filter = new InputFilter({...listeners, keys: text => this.push(text)});
	}

	/** Reading begins when Ink asks for raw mode: what was typed before stays in the terminal until then. */
	setRawMode(isRaw: boolean): this {
		this.#setLineDiscipline(isRaw);
		if (isRaw) {
			this.#terminal.off('data', this.#received).on('data', this.#received);
			this.#terminal.resume();
			this.#reading();
		} else {
			this.#terminal.off('data', this.#received);
			this.#terminal.pause();
		}
		return this;
	}

	/** What is typed from now on is not echoed; it is read as soon as Ink asks for it. */
	holdEcho(): void {
		this.#setLineDiscipline(true);
	}

	ref(): this {
		this.#terminal.ref();
		return this;
	}

	unref(): this {
		this.#terminal.unref();
		return this;
	}

	override _read(): void {}

	#setLineDiscipline(isRaw: boolean): void {
		try {
			this.#terminal.setRawMode(isRaw);
		} catch {
			// The terminal is gone: its stream tells so too, and an error here would keep Ink from ending.
		}
	}

	#receive(chunk: Buffer | string): void {
		clearTimeout(this.#holding);
		this.#filter.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
		const {holding} = this.#filter;
		if (holding) this.#holding = setTimeout(() => this.#filter.flush(), patience[holding]);
	}
}
