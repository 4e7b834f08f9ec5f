import type {Pipe} from './pipe.ts';

/** The parts we use of the internal handles that `node:net` is built on. */
type Handle = {
	onread(buffer: ArrayBuffer | undefined): void;
	open(fd: number): number;
	connect(request: object, address: string): number;
	readStart(): number;
	writeUtf8String(request: object, text: string): number;
	close(): void;
};
type Bindings = {
	readonly Pipe: new (type: number) => Handle;
	readonly socketType: number;
	readonly PipeConnectWrap: new () => {oncomplete?: (status: number) => void};
	readonly WriteWrap: new () => {oncomplete?: (status: number) => void};
	/** Set by each call: bytes read or an error, their offset, and whether a write is asynchronous. */
	readonly state: Int32Array;
	readonly bytesRead: number;
	readonly offset: number;
	readonly isAsync: number;
};

/** Major versions of Node that passed the whole fault matrix, on Linux. */
const knownMajors = new Set(['18', '20', '22', '24']);

/**
 * Pipes implemented directly on Node's internal handles. Loading and warming up `node:net` takes a fifth of
 * an empty process's run time, three times everything else the hook does; the handles' interface hasn't
 * changed since Node 12. Undefined on untested versions, platforms and settings, where `node:net` is used
 * instead.
 */
export function openRawPipe(): Pipe | undefined {
	const bindings = loadBindings();
	return bindings && {read: reader(bindings), send: sender(bindings)};
}

function loadBindings(): Bindings | undefined {
	if (process.release.name !== 'node' || process.versions.bun) return undefined;
	if (process.platform !== 'linux') return undefined;
	if (!knownMajors.has(process.versions.node.split('.')[0] ?? '')) return undefined;
	try {
		const {binding} = process as unknown as {binding(name: string): {readonly [part: string]: unknown}};
		const pipe = binding('pipe_wrap');
		const stream = binding('stream_wrap');
		const bindings = {
			Pipe: pipe.Pipe,
			socketType: (pipe.constants as {readonly SOCKET?: number}).SOCKET,
			PipeConnectWrap: pipe.PipeConnectWrap,
			WriteWrap: stream.WriteWrap,
			state: stream.streamBaseState,
			bytesRead: stream.kReadBytesOrError,
			offset: stream.kArrayBufferOffset,
			isAsync: stream.kLastWriteWasAsync,
		};
		return Object.values(bindings).includes(undefined) ? undefined : (bindings as Bindings);
	} catch {
		// Not available, as under the permission model.
		return undefined;
	}
}

function reader(bindings: Bindings): Pipe['read'] {
	return (fd, onBytes, onEnd) => {
		const handle = new bindings.Pipe(bindings.socketType);
		handle.onread = onRead(bindings, onBytes, () => {
			handle.close();
			onEnd();
		});
		if (handle.open(fd) !== 0 || handle.readStart() !== 0) onEnd();
	};
}

function sender(bindings: Bindings): Pipe['send'] {
	return (address, line, listener) => {
		const handle = new bindings.Pipe(bindings.socketType);
		let isClosed = false;
		const close = () => {
			if (!isClosed) handle.close();
			isClosed = true;
		};
		const fail = (status: number) => {
			if (isClosed) return;
			close();
			listener.onClose(codeOf(status));
		};
		const connect = new bindings.PipeConnectWrap();
		connect.oncomplete = status => {
			if (isClosed) return;
			if (status !== 0) return fail(status);
			listener.onConnect();
			handle.onread = onRead(bindings, bytes => !isClosed && listener.onBytes(bytes), fail);
			const write = new bindings.WriteWrap();
			write.oncomplete = written => {
				if (isClosed) return;
				if (written === 0) listener.onSent();
				else fail(written);
			};
			const failed = handle.readStart() || handle.writeUtf8String(write, line);
			if (failed) fail(failed);
			else if (!bindings.state[bindings.isAsync]) listener.onSent();
		};
		const failed = handle.connect(connect, address);
		// Like `node:net`: the caller gets the close function before the failure is reported.
		if (failed) setImmediate(fail, failed);
		return close;
	};
}

function onRead(bindings: Bindings, onBytes: (bytes: Buffer) => void, onEnd: (status: number) => void) {
	return (buffer: ArrayBuffer | undefined) => {
		const count = bindings.state[bindings.bytesRead] ?? 0;
		if (count > 0 && buffer) onBytes(Buffer.from(buffer, bindings.state[bindings.offset] ?? 0, count));
		else if (count < 0) onEnd(count);
	};
}

/** The system's error name for a negative status; undefined for end of file. */
function codeOf(status: number): string | undefined {
	const {constants} = require('node:os') as typeof import('node:os');
	return Object.entries(constants.errno).find(([, number]) => number === -status)?.[0];
}
