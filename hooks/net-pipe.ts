import type {Pipe} from './pipe.ts';

/** Pipes implemented with `node:net`, which is loaded on first use. */
export const netPipe: Pipe = {
	read(fd, onBytes, onEnd) {
		let isOver = false;
		const end = () => {
			if (!isOver) onEnd();
			isOver = true;
		};
		try {
			const {Socket} = loadNet();
			new Socket({fd, readable: true, writable: false}).on('data', onBytes).on('error', end).on('close', end);
		} catch {
			end();
		}
	},
	send(address, line, listener) {
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
	},
};

function loadNet(): typeof import('node:net') {
	return require('node:net') as typeof import('node:net');
}
