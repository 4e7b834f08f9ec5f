import type {Clock} from '../sync/clock.ts';
import {cleanLine} from '../text/clean.ts';

/** How far a long reading is, on stderr: one line that replaces itself on a terminal, a line now and then elsewhere. */
export type Progress = {
	tell(text: string): void;
	/** Takes the line away. */
	end(): void;
};

export type ProgressStream = {readonly isTTY?: boolean | undefined; write(text: string): unknown};

/** Between two drawings on a terminal, and between two lines elsewhere, ms. */
const drawing = 100;
const line = 2000;

export function createProgress(stream: ProgressStream, clock: Clock): Progress {
	const isTerminal = stream.isTTY === true;
	// What is over soon needs no word.
	let lastAt = clock.now();
	let isShown = false;
	return {
		tell(text) {
			const now = clock.now();
			if (now - lastAt < (isTerminal ? drawing : line)) return;
			lastAt = now;
			stream.write(isTerminal ? `\r${cleanLine(text, 78)}\x1b[K` : `quarterdeck: ${cleanLine(text)}\n`);
			isShown = isTerminal;
		},
		end() {
			if (isShown) stream.write('\r\x1b[K');
			isShown = false;
		},
	};
}
