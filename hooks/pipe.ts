import {netPipe} from './net-pipe.ts';
import {openRawPipe} from './raw-pipe.ts';

/** The pipe operations the hook needs: read a pipe to its end, and send one line over a local socket. */
export type Pipe = {
	/** Reads an inherited pipe or socket. Calls `onEnd` once, at its end or on a read error. */
	read(fd: number, onBytes: (bytes: Buffer) => void, onEnd: () => void): void;
	/**
	 * Connects and writes `line`. The returned function closes immediately; no listener is called after that.
	 */
	send(address: string, line: string, listener: SendListener): () => void;
};

type SendListener = {
	onConnect(): void;
	/** The whole line has been written. */
	onSent(): void;
	onBytes(bytes: Buffer): void;
	/** Called once, with the system's error code if it failed. */
	onClose(code?: string): void;
};

/** Returns the fast implementation where it is known to work, otherwise `node:net`'s. */
export function openPipe(): Pipe {
	return openRawPipe() ?? netPipe;
}
