import {writeSync} from 'node:fs';
import type {TerminalModes} from './modes.ts';

/** What `restore` needs of the terminal. */
export type RestoreTarget = {
	readonly stdin: {setRawMode?(isRaw: boolean): unknown};
	readonly fd: number;
	readonly modes: TerminalModes;
	/** Lets nothing more of the program through to the terminal. */
	silence(): void;
};

/**
 * Gives the terminal back: its modes, its screen, its line discipline. Synchronous, so that it can run last; every call
 * after the first does nothing; it never throws, since the terminal may be gone.
 */
export function createRestore(target: RestoreTarget): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		target.silence();
		writeToTerminal(target.fd, target.modes.undoing());
		try {
			target.stdin.setRawMode?.(false);
		} catch {
			// The terminal is gone, and its modes with it.
		}
	};
}

/** All of it, now. A terminal that takes only part of it for the moment is tried again; one that is gone is let go. */
export function writeToTerminal(fd: number, text: string): void {
	let left = Buffer.from(text);
	for (let tries = 0; left.length > 0 && tries < 100; tries++) {
		try {
			left = left.subarray(writeSync(fd, left));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}
