import {withStandIns} from '../text/function-keys.ts';

/** The longest paste, in UTF-16 units; what is beyond it is dropped, and told. */
export const maxPasteLength = 1024 * 1024;

export type MouseReport = {
	/** Button and modifier bits as the terminal sent them (SGR 1006). */
	readonly button: number;
	/** From 0. */
	readonly x: number;
	readonly y: number;
	readonly isRelease: boolean;
};

export type InputListeners = {
	/** Keys and whole pastes, for Ink. */
	keys(text: string): void;
	focus(isFocused: boolean): void;
	mouse(report: MouseReport): void;
	/** The terminal's answer to a question of ours about its background, raw; at most `maxAnswerLength`. */
	background(answer: string): void;
	/** The terminal's colours have changed (mode 2031). */
	colorsChanged(): void;
	/** Ctrl+Z. */
	suspend(): void;
	/** A paste was cut to `maxPasteLength`: how long it was. */
	pasteCut(length: number): void;
};

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
/** Ctrl+C and Ctrl+Z as a byte, or in the kitty protocol with any lock key on. */
const interruptedTwice = /(?:\x03|\x1b\[99;(?:5|69|133|197)u){2}$/;
const suspendKey = /^(?:\x1a|\x1b\[122;(?:5|69|133|197)u)$/;
/** The longest report of the mouse that is waited for, in digits and semicolons. */
const maxReportLength = 32;
/** Of focus; of the mouse in SGR, and in the three bytes of terminals that know no other form; what has the form and no sense is dropped, too. */
const report = new RegExp(`\\x1b\\[(?:([IO])|<([\\d;]{0,${maxReportLength}})([Mm])|M([^]{3}))`, 'g');
/** An answer longer than this is none: it goes on as if typed. */
const maxAnswerLength = 64;
/** Answers about colours: of the background, and of another that somebody asked for before us. And their change. */
const answer = new RegExp(
	`\\x1b(?:\\](1\\d|4);([^\\x07\\x1b]{0,${maxAnswerLength}})(?:\\x07|\\x1b\\\\)|\\[\\?997;\\d{1,2}n)`,
	'g',
);
/** The start of a paste or a report, cut by the end of a read. */
const unfinished = new RegExp(
	`\\x1b(?:O|\\[(?:20{0,2}|<[\\d;]{0,${maxReportLength}}|M[^]{0,2}|\\?9?9?7?;?\\d{0,2}|\\d{1,2}(?:;\\d{0,3})?)?)?$`,
);
/** The start of an answer. */
const unfinishedAnswer = new RegExp(`\\x1b\\](?:\\d{1,2}(?:;[^\\x07\\x1b]{0,${maxAnswerLength}}\\x1b?)?)?$`);
/** Nobody types this in one moment. */
const isAnswer = /^\x1b\]\d/;

/**
 * Stands between the terminal and Ink. A paste reaches Ink whole or not at all, so one that never ends can't wedge it:
 * pressing Ctrl+C twice drops it. What looks like keys inside a paste is never taken for keys.
 * Reports of focus and mouse go to their listeners.
 */
export class InputFilter {
	readonly #listeners: InputListeners;
	#held = '';
	#paste: Paste | undefined;

	constructor(listeners: InputListeners) {
		this.#listeners = listeners;
	}

	/**
	 * Is the start of a sequence waiting for its end? Then `flush` must be called: soon for what may be a key (`start`),
	 * later for the rest of what is the terminal's answer for certain (`answer`).
	 */
	get holding(): 'start' | 'answer' | undefined {
		if (this.#held === '') return undefined;
		return isAnswer.test(this.#held) ? 'answer' : 'start';
	}

	/** One read of the terminal, decoded. */
	push(chunk: string): void {
		if (this.#paste) this.#pushPaste(this.#paste, chunk);
		else this.#pushKeys(chunk);
	}

	/** Gives on what was held: nothing came that would have finished it. */
	flush(): void {
		const held = this.#held;
		this.#held = '';
		if (held !== '') this.#listeners.keys(held);
	}

	#pushKeys(chunk: string): void {
		const input = this.#held + chunk;
		this.#held = '';
		if (suspendKey.test(input)) {
			this.#listeners.suspend();
			return;
		}
		const start = input.indexOf(pasteStart);
		if (start === -1) {
			const cut = (unfinishedAnswer.exec(input) ?? unfinished.exec(input))?.index ?? input.length;
			this.#held = input.slice(cut);
			this.#passKeys(input.slice(0, cut));
			return;
		}
		this.#passKeys(input.slice(0, start));
		this.#paste = new Paste();
		this.#pushPaste(this.#paste, input.slice(start + pasteStart.length));
	}

	#passKeys(input: string): void {
		if (input === '') return;
		const keys = input
			.replaceAll(report, (_, focus, numbers, letter, bytes) => {
				const mouse = bytes === undefined ? sgrReport(numbers ?? '', letter) : byteReport(bytes);
				if (focus) this.#listeners.focus(focus === 'I');
				else if (mouse) this.#listeners.mouse(mouse);
				return '';
			})
			.replaceAll(answer, (_, number: string | undefined, text: string) => {
				if (number === '11') this.#listeners.background(text);
				else if (number === undefined) this.#listeners.colorsChanged();
				return '';
			})
			// The end of a paste that was dropped.
			.replaceAll(pasteEnd, '');
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

/** `0;5;3`: button and modifiers, column and row from 1. */
function sgrReport(numbers: string, letter: string): MouseReport | undefined {
	const [, button, x, y] = /^(\d{1,4});([1-9]\d{0,4});([1-9]\d{0,4})$/.exec(numbers) ?? [];
	if (button === undefined) return undefined;
	return {button: Number(button), x: Number(x) - 1, y: Number(y) - 1, isRelease: letter === 'm'};
}

/** The oldest form: three characters from the space on; a release does not tell of which button. */
function byteReport(bytes: string): MouseReport | undefined {
	const [button = -1, x = 0, y = 0] = Array.from(bytes, byte => byte.charCodeAt(0) - 32);
	if (button < 0 || x < 1 || y < 1 || Math.max(button, x, y) > 223) return undefined;
	return {button, x: x - 1, y: y - 1, isRelease: (button & 3) === 3 && button < 32};
}

/** A paste that has begun and not ended. */
class Paste {
	/** UTF-16 units so far, those beyond the cap too. */
	length = 0;
	readonly #parts: string[] = [];
	/** What may be the start of the end mark, split between two reads. */
	#tail = '';
	/** The last of what came, long enough for two keys. */
	#end = '';

	/** Takes a read; answers what came after the end mark, `undefined` when it hasn't come. */
	add(chunk: string): string | undefined {
		const input = this.#tail + chunk;
		const end = input.indexOf(pasteEnd);
		if (end === -1) {
			const cut = Math.max(0, input.length - pasteEnd.length + 1);
			this.#keep(input.slice(0, cut));
			this.#tail = input.slice(cut);
			this.#end = (this.#end + chunk.slice(-32)).slice(-32);
			return undefined;
		}
		this.#keep(input.slice(0, end));
		return input.slice(end + pasteEnd.length);
	}

	/** Was Ctrl+C pressed twice, with nothing after it yet? */
	get isInterrupted(): boolean {
		return interruptedTwice.test(this.#end);
	}

	/** Without start marks: one inside would begin a second paste for whoever reads on. */
	text(): string {
		return this.#parts.join('').replaceAll(pasteStart, '');
	}

	#keep(text: string): void {
		const room = maxPasteLength - this.length;
		if (room > 0) this.#parts.push(text.slice(0, room));
		this.length += text.length;
	}
}
