import {brotliCompressSync, gzipSync} from 'node:zlib';
import type {Reply} from './fault-server.ts';

type Headers = Readonly<Record<string, string>>;

/** A JSON answer, as a healthy service gives it. */
export function json(value: unknown, status = 200, headers: Headers = {}): Reply {
	return response => {
		response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(value));
	};
}

/** The page of a session without messages. */
export const noMessages = {messages: [], pagination: {hasMore: false, nextCursor: ''}};

/** Any body under any type. */
export function body(content: string | Buffer, status = 200, headers: Headers = {}): Reply {
	return response => {
		response.writeHead(status, headers).end(content);
	};
}

export function html(status: number, title: string): Reply {
	const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
	return body(page, status, {'content-type': 'text/html'});
}

export function redirect(location: string, status = 302): Reply {
	return body('', status, {location});
}

/** An answer of JSON as it goes over the wire. */
export function wholeAnswer(content: string, status = 200): Buffer {
	const length = Buffer.byteLength(content);
	return Buffer.from(
		`HTTP/1.1 ${status} Said\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${content}`,
	);
}

/** The first `count` bytes of `wholeAnswer`, then a reset. */
export function resetAfter(count: number, content: string, status = 200): Reply {
	const whole = wholeAnswer(content, status);
	return response => {
		const {socket} = response;
		if (!socket) return;
		if (count === 0) return void socket.resetAndDestroy();
		// Without the wait the reset would overtake the bytes.
		socket.write(whole.subarray(0, count), () => setImmediate(() => socket.resetAndDestroy()));
	};
}

/** Takes the request and never answers. */
export function silence(): Reply {
	return () => {};
}

/** An answer that is always alive and never done: one space a millisecond, until the other side has enough. */
export function drip(status = 200): Reply {
	return response => {
		response.writeHead(status, {'content-type': 'application/json'});
		const timer = setInterval(() => response.write(' '), 1);
		response.on('close', () => clearInterval(timer));
	};
}

/** Bytes that aren't an HTTP answer at all. */
export function garbage(bytes: string | Buffer): Reply {
	return response => {
		response.socket?.end(bytes);
	};
}

/** A well-formed answer in one of the encodings the client asks for. */
export function compressed(value: unknown, encoding: 'gzip' | 'br'): Reply {
	const content = Buffer.from(JSON.stringify(value));
	const packed = encoding === 'gzip' ? gzipSync(content) : brotliCompressSync(content);
	return body(packed, 200, {'content-encoding': encoding});
}

/** `size` bytes of spaces, gzipped to about a thousandth of them. */
export function bomb(size: number, status = 200): Reply {
	return body(gzipSync(Buffer.alloc(size, 0x20)), status, {'content-encoding': 'gzip'});
}
