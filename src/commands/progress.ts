import type {Clock} from '../sync/clock.ts';
import {cleanLine} from '../text/clean.ts';

/** How far a long reading is, on stderr: one line that replaces itself. Only on a terminal: in a log it is noise. */
export type Progress = {
	show(text: string): void;
	/** Takes the line away. */
	end(): void;
};

export type ProgressStream = {readonly isTTY?: boolean | undefined; write(text: string): unknown};

/** Between two drawings, ms. */
const drawing = 100;

export function createProgress(stream: ProgressStream, clock: Clock): Progress {
	// What is over soon needs no word.
	let lastAt = clock.now();
	let isShown = false;
	return {
		show(text) {
			const now = clock.now();
			if (stream.isTTY !== true || now - lastAt < drawing) return;
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
