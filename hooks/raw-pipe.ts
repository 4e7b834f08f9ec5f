import type {Pipe} from './pipe.ts';

/** The handles that `node:net` itself stands on, as far as we use them. */
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
	/** Filled by each call: bytes read or an error, where they begin, and whether a write is still under way. */
	readonly state: Int32Array;
	readonly bytesRead: number;
	readonly offset: number;
	readonly isAsync: number;
};

/** Node's major versions this was tried on, with the whole fault matrix, on Linux. */
const knownMajors = new Set(['18', '20', '22', '24']);

/**
 * Pipes straight on Node's own handles. Loading and warming up `node:net` costs a fifth of an empty process, three
 * times all else that the hook does; the handles below it have kept their shape since Node 12. Undefined on any Node,
 * system or setting that wasn't tried: there `node:net` does the same.
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
		// Not given out here, as under the permission model.
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
		// As `node:net` does: whoever called has its answer before it hears of the failure.
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

/** The system's name of a negative status; undefined for a plain end. */
function codeOf(status: number): string | undefined {
	const {constants} = require('node:os') as typeof import('node:os');
	return Object.entries(constants.errno).find(([, number]) => number === -status)?.[0];
}
