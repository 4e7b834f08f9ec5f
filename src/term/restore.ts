import {writeSync} from 'node:fs';
import type {TerminalModes} from './modes.ts';

/** What `restore` needs from the terminal. */
export type RestoreTarget = {
	readonly fd: number;
	readonly stdin: {setRawMode?(isRaw: boolean): unknown};
	readonly modes: TerminalModes;
	/** Whether we own the terminal; in the background it belongs to the shell. */
	readonly isOurs: () => boolean;
	/** Blocks further output of the screen; if we don't own the terminal, all output. */
	silence(isOurs: boolean): void;
	/** Writes the last text after everything queued; resolves when it is written or never can be. */
	finish(text: string): Promise<void>;
};

/**
 * Returns a function that restores the terminal: its modes, screen and line discipline. It is done on return, unless the
 * terminal isn't reading: then the promise waits for it. Later calls do nothing. Never throws, as the terminal may be
 * gone. `isAbandoned`: who started us was killed, and the shell that took the terminal back restores its line discipline,
 * but not its modes.
 */
export function createRestore(target: RestoreTarget): (isAbandoned?: boolean) => Promise<void> {
	let done: Promise<void> | undefined;
	const restore = (isAbandoned: boolean) => {
		const isOurs = target.isOurs();
		target.silence(isOurs);
		if (!isOurs && isAbandoned) writeToTerminal(target.fd, target.modes.undoSequence());
		if (!isOurs) return Promise.resolve();
		const written = target.finish(target.modes.undoSequence());
		try {
			target.stdin.setRawMode?.(false);
		} catch {
			// The terminal is gone, and its modes with it.
		}
		return written;
	};
	return (isAbandoned = false) => {
		done ??= restore(isAbandoned);
		return done;
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
