import {netPipe} from './net-pipe.ts';
import {openRawPipe} from './raw-pipe.ts';

/** What the hook needs of pipes and local sockets: to read one to its end, and to speak one line over another. */
export type Pipe = {
	/** Reads an inherited pipe or socket. `onEnd` is called once, at its end or when it can't be read on. */
	read(fd: number, onBytes: (bytes: Buffer) => void, onEnd: () => void): void;
	/** Connects and writes `line`. The returned function closes at once, after which nothing is called. */
	send(address: string, line: string, listener: SendListener): () => void;
};

type SendListener = {
	onConnect(): void;
	/** The system has taken the whole line. */
	onSent(): void;
	onBytes(bytes: Buffer): void;
	/** Called once, with the system's code when it was an error. */
	onClose(code?: string): void;
};

/** The fast way where it is known to work, else Node's own. */
export function openPipe(): Pipe {
	return openRawPipe() ?? netPipe;
}
