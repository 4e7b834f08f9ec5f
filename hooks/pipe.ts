/** Reads an inherited pipe or socket. Calls `onEnd` once, at its end or on a read error. */
export function readPipe(fd: number, onBytes: (bytes: Buffer) => void, onEnd: () => void): void {
	let isOver = false;
	const end = () => {
		if (!isOver) onEnd();
		isOver = true;
	};
	try {
		const {Socket} = loadNet();
		const socket = new Socket({fd, readable: true, writable: false});
		socket.on('data', onBytes).on('end', end).on('error', end).on('close', end);
	} catch {
		end();
	}
}

export type SendListener = {
	onConnect(): void;
	/** The whole line has been written. */
	onSent(): void;
	onBytes(bytes: Buffer): void;
	/** Called once, with the system's error code if it failed. */
	onClose(code?: string): void;
};

/**
 * Connects to a local socket and writes `line`. The returned function closes immediately; no listener is called
 * after that.
 */
export function sendLine(address: string, line: string, listener: SendListener): () => void {
	let code: string | undefined;
	const socket = loadNet().connect(address);
	socket.on('connect', () => listener.onConnect());
	socket.on('data', bytes => listener.onBytes(bytes));
	socket.on('error', (error: NodeJS.ErrnoException) => {
		code = error.code;
	});
	socket.on('close', () => listener.onClose(code));
	socket.write(line, error => {
		if (!error) listener.onSent();
	});
	return () => {
		socket.removeAllListeners();
		socket.on('error', () => {});
		socket.destroy();
	};
}

/** Loaded on first use: a hook that reads a file and finds no program doesn't need it. */
function loadNet(): typeof import('node:net') {
	return require('node:net') as typeof import('node:net');
}
