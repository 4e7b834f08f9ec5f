import {writeSync} from 'node:fs';
import type {TerminalModes} from './modes.ts';

/** What `restore` needs of the terminal. */
export type RestoreTarget = {
	readonly stdin: {setRawMode?(isRaw: boolean): unknown};
	readonly modes: TerminalModes;
	/** Is the terminal ours to write to? In the background it belongs to the shell. */
	readonly isOurs: () => boolean;
	/** Lets nothing more of the screen through to the terminal; where it isn't ours, nothing of anyone's. */
	silence(isOurs: boolean): void;
	/** Writes the last of all, after what waits; resolves when it is written or never can be. */
	finish(text: string): Promise<void>;
};

/**
 * Gives the terminal back: its modes, its screen, its line discipline. All of it happens in the call, unless the terminal
 * reads nothing: then the promise waits for it. Every call after the first does nothing; it never throws, since the
 * terminal may be gone.
 */
export function createRestore(target: RestoreTarget): () => Promise<void> {
	let done: Promise<void> | undefined;
	const restore = () => {
		const isOurs = target.isOurs();
		target.silence(isOurs);
		if (!isOurs) return Promise.resolve();
		const written = target.finish(target.modes.undoing());
		try {
			target.stdin.setRawMode?.(false);
		} catch {
			// The terminal is gone, and its modes with it.
		}
		return written;
	};
	return () => {
		done ??= restore();
		return done;
	};
}

/** All of it, now. A terminal that takes only part of it for the moment is tried again for 200 ms; one that is gone is let go. */
export function writeToTerminal(fd: number, text: string): void {
	let left = Buffer.from(text);
	for (let tries = 0; left.length > 0 && tries < 40; tries++) {
		try {
			left = left.subarray(writeSync(fd, left));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}
