import {writeSync} from 'node:fs';
import {colorReports} from './capabilities.ts';

/** Terminal modes that we turn on and must turn off again. */
type ModeName =
	| 'cursorHidden'
	| 'alternateScreen'
	| 'bracketedPaste'
	| 'synchronizedUpdate'
	| 'kittyKeyboard'
	| 'focusReports'
	| 'colorReports'
	| 'mouse'
	| 'title';

/** How to undo each mode, in this order: the kitty keyboard stack belongs to the screen it was pushed on. */
const undo: Readonly<Record<ModeName, string>> = {
	synchronizedUpdate: '\x1b[?2026l',
	kittyKeyboard: '\x1b[<u',
	mouse: '\x1b[?1006l\x1b[?1002l\x1b[?1000l',
	focusReports: '\x1b[?1004l',
	colorReports: colorReports.off,
	bracketedPaste: '\x1b[?2004l',
	alternateScreen: '\x1b[?1049l',
	cursorHidden: '\x1b[?25h',
	title: '\x1b[23;2t',
};

const modeSequence = /\x1b\[(?:\?(25|1004|1000|1049|2004|2026|2031)([hl])|([<>])\d*u|(22|23);2t)/g;
const byNumber: Readonly<Record<string, ModeName>> = {
	'25': 'cursorHidden',
	'1000': 'mouse',
	'1004': 'focusReports',
	'1049': 'alternateScreen',
	'2004': 'bracketedPaste',
	'2026': 'synchronizedUpdate',
	'2031': 'colorReports',
};

/** Tracks writes to the terminal, so that restoring it undoes exactly the modes that are on. */
export class TerminalModes {
	readonly #on = new Set<ModeName>();

	/** Scans one write. Cheap for frames, which contain modes only at their start and end. */
	follow(written: string): void {
		for (const [, number, letter, stack, title] of written.matchAll(modeSequence)) {
			if (number) {
				const mode = byNumber[number] as ModeName;
				this.#set(mode, (letter === 'h') !== (mode === 'cursorHidden'));
			} else if (stack) this.#set('kittyKeyboard', stack === '>');
			else this.#set('title', title === '22');
		}
	}

	undoSequence(): string {
		const names = Object.keys(undo) as ModeName[];
		const sequences = names.filter(name => this.#on.has(name)).map(name => undo[name]);
		return sequences.length > 0 ? `\x1b[0m${sequences.join('')}` : '';
	}

	#set(mode: ModeName, isOn: boolean): void {
		if (isOn) this.#on.add(mode);
		else this.#on.delete(mode);
	}
}

/** Undoes every mode that a killed program could have left on (`quarterdeck reset-terminal`). */
export function undoEverything(): string {
	return `\x1b[!p\x1b[0m${Object.values(undo).join('')}\x1b(B\x1b[?7h\x1b[?1l\x1b>`;
}

type RestoreTarget = {
	readonly fd: number;
	readonly stdin: {setRawMode?(isRaw: boolean): unknown};
	readonly modes: TerminalModes;
	/** Blocks further output of the screen. */
	silence(): void;
};

/**
 * Returns a function that restores the terminal: its modes, screen and line discipline. Later calls do nothing. Never
 * throws, as the terminal may be gone.
 */
export function createRestore({fd, stdin, modes, silence}: RestoreTarget): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		silence();
		writeToTerminal(fd, modes.undoSequence());
		try {
			stdin.setRawMode?.(false);
		} catch {
			// The terminal is gone, and its modes with it.
		}
	};
}

/** Writes `text` synchronously; retries for 200 ms if the terminal is busy, then gives up. */
export function writeToTerminal(fd: number, text: string): void {
	let rest = Buffer.from(text);
	for (let tries = 0; rest.length > 0 && tries < 40; tries++) {
		try {
			rest = rest.subarray(writeSync(fd, rest));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}
