import {Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import type {ReadStream} from 'node:tty';
import {withStandIns} from '../text/function-keys.ts';

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

/** Maximum length of a paste, in UTF-16 units; the rest is dropped, and `pasteCut` is called. */
export const maxPasteLength = 1024 * 1024;

export type MouseReport = {
	/** Button and modifier bits as the terminal sent them (SGR 1006). */
	readonly button: number;
	/** Counts from 0. */
	readonly x: number;
	readonly y: number;
	readonly isRelease: boolean;
};

export type InputListeners = {
	/** Keys and whole pastes, for Ink. */
	keys(text: string): void;
	focus(isFocused: boolean): void;
	mouse(report: MouseReport): void;
	/** The terminal's raw answer to our background query; at most `maxAnswerLength`. */
	background(answer: string): void;
	/** The terminal's colors changed (mode 2031). */
	colorsChanged(): void;
	/** Ctrl+Z. */
	suspend(): void;
	/** A paste was cut to `maxPasteLength`; `length` is its full length. */
	pasteCut(length: number): void;
};

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** The Esc key in the kitty protocol. Ink would wait for more after a bare escape, and read Esc, q as Alt+Q. */
const escapeKey = '\x1b[27u';
/** Ctrl+C and Ctrl+Z as a byte, or in the kitty protocol with any lock key on. */
const interruptedTwice =
	/(?:\x03|\x1b\[(?:99(?::[\d:]{0,16})?|\d{1,7}:\d{0,7}:99);(?:5|69|133|197)(?::1)?u|\x1b\[27;5;99~){2}$/;
const suspendKey = /^(?:\x1a|\x1b\[122;(?:5|69|133|197)(?::1)?u)$/;
/** Keys as xterm's modifyOtherKeys sends them, which Ink doesn't know. */
const otherKeys = /\x1b\[27;(\d{1,3});(\d{1,7})~/g;
/** A key in the kitty protocol with the one that Shift makes of it and the one at its place on a US keyboard. */
const alternateKeys = /\x1b\[(\d{1,7}):\d{0,7}(?::(\d{1,7}))?;/g;
/** Maximum length of a mouse report's numbers, in digits and semicolons. */
const maxReportLength = 32;
/** Reports of focus and of the mouse; also malformed ones, and the older form of three bytes, which are dropped. */
const report = new RegExp(`\\x1b\\[(?:([IO])|<([\\d;]{0,${maxReportLength}})([Mm])|M[^]{3})`, 'g');
/** Anything longer isn't an answer and counts as typed. */
const maxAnswerLength = 64;
/** Color answers: the background, other colors that an earlier program asked for, and change reports. */
const answer = new RegExp(
	`\\x1b(?:\\](1\\d|4);([^\\x07\\x1b]{0,${maxAnswerLength}})(?:\\x07|\\x1b\\\\)|\\[\\?997;\\d{1,2}n)`,
	'g',
);
/** The start of a paste, a report or a key, cut off at the end of a read. */
const unfinished = new RegExp(
	`\\x1b(?:O|\\[(?:<[\\d;]{0,${maxReportLength}}|M[^]{0,2}|\\?9?9?7?;?\\d{0,2}|[\\d;:]{1,16})?)?$`,
);
/** The start of an answer, cut off at the end of a read. */
const unfinishedAnswer = new RegExp(`\\x1b\\](?:\\d{1,2}(?:;[^\\x07\\x1b]{0,${maxAnswerLength}}\\x1b?)?)?$`);
/** Never typed within a single read. */
const isAnswer = /^\x1b\]\d/;

/**
 * Filters the terminal's input for Ink. A paste reaches Ink whole or not at all: pressing Ctrl+C twice drops one that
 * never ends. Nothing inside a paste counts as keys. Focus and mouse reports go to their listeners.
 */
export class InputFilter {
	readonly #listeners: InputListeners;
	#pending = '';
	#paste: Paste | undefined;

	constructor(listeners: InputListeners) {
		this.#listeners = listeners;
	}

	/**
	 * The kind of unfinished sequence that waits for its end, if any. Call `flush` soon for what may be a key
	 * (`start`), later for what is certainly an answer of the terminal (`answer`).
	 */
	get pending(): 'start' | 'answer' | undefined {
		if (this.#pending === '') return undefined;
		return isAnswer.test(this.#pending) ? 'answer' : 'start';
	}

	/** Takes one decoded read of the terminal. */
	push(chunk: string): void {
		if (this.#paste) this.#pushPaste(this.#paste, chunk);
		else this.#pushKeys(chunk);
	}

	/** Passes on the waiting input as keys: the rest of the sequence never came. */
	flush(): void {
		const input = this.#pending;
		this.#pending = '';
		if (input !== '') this.#listeners.keys(input === '\x1b' ? escapeKey : input);
	}

	/** The terminal goes to another program: the rest of a paste or sequence goes there, too. */
	end(): void {
		const paste = this.#paste;
		this.#paste = undefined;
		if (paste) this.#listeners.keys(pasteStart + paste.text() + paste.tail + pasteEnd);
		this.flush();
	}

	#pushKeys(chunk: string): void {
		const input = (this.#pending + chunk).replaceAll(alternateKeys, baseKey);
		this.#pending = '';
		if (suspendKey.test(input.replace(otherKeys, '\x1b[$2;$1u'))) {
			this.#listeners.suspend();
			return;
		}
		const start = input.indexOf(pasteStart);
		if (start === -1) {
			const cut = (unfinishedAnswer.exec(input) ?? unfinished.exec(input))?.index ?? input.length;
			this.#pending = input.slice(cut);
			this.#passKeys(input.slice(0, cut));
			return;
		}
		this.#passKeys(input.slice(0, start));
		this.#paste = new Paste();
		this.#pushPaste(this.#paste, input.slice(start + pasteStart.length));
	}

	/** Passes on keys and reports in the order in which they came. */
	#passKeys(input: string): void {
		let start = 0;
		for (const match of input.matchAll(report)) {
			this.#passTyped(input.slice(start, match.index).replace(/\x1b$/, escapeKey));
			start = match.index + match[0].length;
			const [, focus, numbers = '', letter = ''] = match;
			const mouse = sgrReport(numbers, letter);
			if (focus) this.#listeners.focus(focus === 'I');
			else if (mouse) this.#listeners.mouse(mouse);
		}
		this.#passTyped(input.slice(start));
	}

	#passTyped(input: string): void {
		const keys = input
			.replaceAll(answer, (_, number: string | undefined, text: string) => {
				if (number === '11') this.#listeners.background(text);
				else if (number === undefined) this.#listeners.colorsChanged();
				return '';
			})
			// The end mark of a dropped paste.
			.replaceAll(pasteEnd, '')
			.replaceAll(otherKeys, '\x1b[$2;$1u');
		if (keys !== '') this.#listeners.keys(withStandIns(keys));
	}

	#pushPaste(paste: Paste, chunk: string): void {
		const rest = paste.add(chunk);
		if (rest === undefined) {
			if (!paste.isInterrupted) return;
			this.#paste = undefined;
			this.#listeners.keys('\x03');
			return;
		}
		this.#paste = undefined;
		this.#listeners.keys(pasteStart + paste.text() + pasteEnd);
		if (paste.length > maxPasteLength) this.#listeners.pasteCut(paste.length);
		if (rest !== '') this.#pushKeys(rest);
	}
}

/** Parses `0;5;3`: button and modifiers, column and row from 1. */
function sgrReport(numbers: string, letter: string): MouseReport | undefined {
	const [, button, x, y] = /^(\d{1,4});([1-9]\d{0,4});([1-9]\d{0,4})$/.exec(numbers) ?? [];
	if (button === undefined) return undefined;
	return {button: Number(button), x: Number(x) - 1, y: Number(y) - 1, isRelease: letter === 'm'};
}

/** A paste that has started but not ended. */
class Paste {
	/** UTF-16 units so far, including those over the limit. */
	length = 0;
	readonly #parts: string[] = [];
	/** A possible start of the end mark, split between two reads. */
	tail = '';
	/** The end of the input so far, long enough for two keys. */
	#end = '';

	/** Adds a read. Returns what follows the end mark, or `undefined` if it hasn't arrived. */
	add(chunk: string): string | undefined {
		const input = this.tail + chunk;
		const end = input.indexOf(pasteEnd);
		if (end === -1) {
			const cut = Math.max(0, input.length - pasteEnd.length + 1);
			this.#append(input.slice(0, cut));
			this.tail = input.slice(cut);
			this.#end = (this.#end + chunk.slice(-32)).slice(-32);
			return undefined;
		}
		this.#append(input.slice(0, end));
		return input.slice(end + pasteEnd.length);
	}

	/** Whether Ctrl+C was pressed twice, with nothing after it yet. */
	get isInterrupted(): boolean {
		return interruptedTwice.test(this.#end);
	}

	/** The text without start marks, which would start a second paste for the next reader. */
	text(): string {
		return this.#parts.join('').replaceAll(pasteStart, '');
	}

	#append(text: string): void {
		const room = maxPasteLength - this.length;
		if (room > 0) this.#parts.push(text.slice(0, room));
		this.length += text.length;
	}
}

/** Keys with Ctrl or Alt are those of the program: a letter of another alphabet stands for the key at its place. */
function baseKey(_: string, key: string, base: string | undefined): string {
	return `\x1b[${Number(key) < 128 ? key : (base ?? key)};`;
}
