import {writeSync} from 'node:fs';
import type {TerminalModes} from './modes.ts';

export type RestoreTarget = {
	readonly fd: number;
	readonly stdin: {setRawMode?(isRaw: boolean): unknown};
	readonly modes: TerminalModes;
	/** In the background the shell has set the line discipline. */
	readonly isInBackground: () => boolean;
	/** Blocks further output of the screen. */
	silence(): void;
};

/**
 * Returns a function that restores the terminal: its modes, screen and line discipline. Later calls do nothing. Never
 * throws, as the terminal may be gone.
 */
export function createRestore({fd, stdin, modes, isInBackground, silence}: RestoreTarget): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		silence();
		writeToTerminal(fd, modes.undoSequence());
		if (isInBackground()) return;
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
