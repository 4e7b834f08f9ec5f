import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A request as it came in. `headers` has its own words only: without host, connection and content-length. */
export type SeenRequest = {
	readonly method: string;
	/** Still encoded. */
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/** The parsed body; undefined when there was none. */
	readonly body: unknown;
};

/** How one request is answered. See `replies.ts` for ready ones. */
export type Reply = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/** A real HTTP server on loopback with prepared responses. */
export type FaultServer = {
	readonly url: string;
	/** Everything that was asked, in order. */
	readonly requests: readonly SeenRequest[];
	/** Responses to the next requests, one each; later requests get `otherwise`. */
	answer(...replies: readonly Reply[]): void;
	otherwise(reply: Reply): void;
	/** Resolves when so many requests have come in. */
	asked(count: number): Promise<void>;
	/** Ends the server and cuts every connection. */
	close(): Promise<void>;
};

/** On any free port, or on this one. */
export async function startFaultServer(at = 0): Promise<FaultServer> {
	const queue: Reply[] = [];
	const requests: SeenRequest[] = [];
	let waiting: {count: number; resolve: () => void}[] = [];
	let fallback: Reply = response => {
		response.writeHead(500).end('no answer was told for this request');
	};
	const server = createServer(async (incoming, response) => {
		try {
			const request = await readRequest(incoming);
			requests.push(request);
			for (const one of waiting) if (requests.length >= one.count) one.resolve();
			waiting = waiting.filter(one => requests.length < one.count);
			await (queue.shift() ?? fallback)(response, request);
		} catch (error) {
			response.destroy(error instanceof Error ? error : undefined);
		}
	});
	await new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		answer: (...replies) => void queue.push(...replies),
		otherwise(reply) {
			fallback = reply;
		},
		asked: count =>
			new Promise(resolve => {
				if (requests.length >= count) resolve();
				else waiting.push({count, resolve});
			}),
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const framing = new Set(['host', 'connection', 'content-length']);

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	const [path = '', search = ''] = (incoming.url ?? '').split('?');
	const headers = Object.entries(incoming.headers).filter(([name]) => !framing.has(name));
	return {
		method: incoming.method ?? '',
		path,
		query: Object.fromEntries(new URLSearchParams(search)),
		headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
		text,
		body: text === '' ? undefined : JSON.parse(text),
	};
}
