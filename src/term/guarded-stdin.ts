import {Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import type {ReadStream} from 'node:tty';
import {InputFilter, type InputListeners} from './input-filter.ts';

/** How long the start of a sequence may wait for the rest, ms; `start` may be the Esc key alone. */
const timeouts = {start: 25, answer: 500} as const;

type StdinListeners = Omit<InputListeners, 'keys'> & {
	/** Called each time reading begins: the terminal's answers are read from then on. */
	reading(): void;
	/** Ctrl+C was pressed before Ink reads keys. */
	interrupt(): void;
};

/** The stdin given to Ink: filtered input; raw mode, ref and unref apply to the terminal itself. */
export class GuardedStdin extends Readable {
	readonly isTTY = true;
	readonly #terminal: ReadStream;
	readonly #filter: InputFilter;
	readonly #decoder = new StringDecoder('utf8');
	#flushTimer: NodeJS.Timeout | undefined;
	readonly #reading: () => void;
	readonly #interrupt: () => void;
	#isReading = false;
	#isInkReading = false;
	#ignoresRawMode = false;
	readonly #received = (chunk: Buffer | string) => this.#receive(chunk);

	constructor(terminal: ReadStream, {reading, interrupt, ...listeners}: StdinListeners) {
		super({highWaterMark: 4 * 1024 * 1024});
		this.#terminal = terminal;
		this.#reading = reading;
		this.#interrupt = interrupt;
		this.#filter = new InputFilter({...listeners, keys: text => this.#passOn(text)});
	}

	/** Called by Ink when it starts or stops reading keys. */
	setRawMode(isRaw: boolean): this {
		this.#setLineDiscipline(isRaw);
		if (isRaw) {
			this.#isInkReading = true;
			this.#read();
		} else {
			this.#isReading = false;
			clearTimeout(this.#flushTimer);
			this.#filter.end();
			this.#terminal.off('data', this.#received);
			this.#terminal.pause();
		}
		return this;
	}

	/** Starts reading without echo: keys wait for Ink, except Ctrl+C; answers are processed at once. */
	suppressEcho(): void {
		this.#setLineDiscipline(true);
		this.#read();
	}

	/** Ignores later changes of the line discipline: the terminal is restored, and may belong to another job. */
	ignoreRawMode(): void {
		this.#ignoresRawMode = true;
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

	#read(): void {
		if (this.#isReading) return;
		this.#isReading = true;
		this.#terminal.on('data', this.#received);
		this.#terminal.resume();
		this.#reading();
	}

	#passOn(keys: string): void {
		if (!this.#isInkReading && keys.includes('\x03')) this.#interrupt();
		else this.push(keys);
	}

	#setLineDiscipline(isRaw: boolean): void {
		if (this.#ignoresRawMode) return;
		try {
			this.#terminal.setRawMode(isRaw);
		} catch {
			// The terminal is gone. Its stream reports that too, and an error here would keep Ink from
			// exiting.
		}
	}

	#receive(chunk: Buffer | string): void {
		clearTimeout(this.#flushTimer);
		const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
		// The terminal turned an Enter into a line feed if it was typed before we read: it would count as Ctrl+J.
		this.#filter.push(this.#isInkReading ? text : text.replaceAll('\n', '\r'));
		const {pending} = this.#filter;
		if (pending) this.#flushTimer = setTimeout(() => this.#filter.flush(), timeouts[pending]);
	}
}
