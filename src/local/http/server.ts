import {createHash, randomUUID, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Secret} from '../../config/secret.ts';
import {embeddedServer} from '../../domain/running-service.ts';
import {Refusal, type Router} from './router.ts';

const loopbackNames = new Set(['127.0.0.1', 'localhost']);

/** Throws `Refusal` 421 for a Host other than this address (DNS rebinding by a web page). */
function checkHost({headers: {host = ''}, socket}: IncomingMessage): void {
	if (!isOwnAddress(host, socket.localPort))
		throw new Refusal(421, 'this service responds only at its own loopback address');
}

/** `localPort` is undefined for a socket, which clients call `localhost`. */
function isOwnAddress(host: string, localPort: number | undefined): boolean {
	if (localPort === undefined) return host === 'localhost';
	const [name = '', port] = host.split(':');
	return loopbackNames.has(name.toLowerCase()) && Number(port ?? 80) === localPort;
}

/** Throws `Refusal` 401 unless the bearer key matches the listener's. Compares digests in constant time. */
function checkKey(request: IncomingMessage, key: Secret): void {
	const sentKey = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
	if (!timingSafeEqual(digest(sentKey), digest(key.reveal())))
		throw new Refusal(401, sentKey === '' ? 'the key is missing' : 'the key is wrong');
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

/** Maximum body size in bytes: room for a message with a few images. */
export const maxBodySize = 32 * 1024 * 1024;

/** Parses a request's JSON body; undefined when there is none. Throws `Refusal` 400, 413 or 415. */
async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	let size = 0;
	if (Number(request.headers['content-length'] ?? 0) > maxBodySize) throw tooLarge();
	for await (const chunk of request) {
		size += chunk.length;
		if (size > maxBodySize) throw tooLarge();
		chunks.push(chunk);
	}
	if (size === 0) return undefined;
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal(415, 'the body must be application/json');
	try {
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(chunks)));
	} catch {
		throw new Refusal(400, 'the body is not JSON');
	}
}

function tooLarge(): Refusal {
	return new Refusal(413, `the body is over ${maxBodySize} bytes`);
}

// Importing node:http evaluates all its exports, and one of them loads a WebSocket client: 40 ms at startup.
const {createServer} = process.getBuiltinModule('node:http');

/** Creates an HTTP server that requires the key. */
export type CreateServer = (key: Secret, maxConnections: number) => Server;

/** Time limits for receiving a request's headers, and the whole request, ms. */
const headTimeout = 10_000;
const requestTimeout = 60_000;
/** How often the limits are checked, ms. */
const checkEvery = 2000;
/** Longer than an idle client's polling interval, ms. */
const keepAliveTimeout = 120_000;

/** Servers that share the same routes; new ones aren't listening yet. */
export function createServers(router: Router) {
	let connected = 0;
	let wasUsed = false;

	const handle = async (key: Secret, request: IncomingMessage, response: ServerResponse) => {
		const requestId = randomUUID();
		const [pathname = '/', search = ''] = (request.url ?? '/').split('?', 2);
		try {
			checkHost(request);
			checkKey(request, key);
			const {route, params} = router.find(request.method ?? '', pathname);
			const body = await readBody(request);
			const answer = await route.handle({
				params,
				query: new URLSearchParams(search),
				body,
				idempotencyKey: request.headersDistinct['idempotency-key']?.[0],
			});
			send(response, route.status, requestId, answer);
		} catch (error) {
			// Anything but a refusal is a bug or a full disk; the client gets no details.
			const refusal =
				error instanceof Refusal ? error : new Refusal(500, 'the service failed to answer this request');
			// Close connections of unauthorized clients, and any unread body, which would be parsed as the next
			// request.
			const isUnauthorized = refusal.status === 401 || refusal.status === 421;
			if (isUnauthorized || !request.complete) response.setHeader('Connection', 'close');
			if (refusal.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
			send(response, refusal.status, requestId, errorBody(refusal, requestId));
		}
	};

	const create: CreateServer = (key, maxConnections) => {
		const server = createServer(
			{
				headersTimeout: headTimeout,
				requestTimeout,
				connectionsCheckingInterval: checkEvery,
				keepAliveTimeout,
			},
			(request, response) => {
				response.on('error', () => {});
				handle(key, request, response).catch(() => request.destroy());
			},
		);
		server.on('connection', socket => {
			wasUsed = true;
			connected++;
			socket.on('close', () => {
				connected--;
			});
		});
		server.maxConnections = maxConnections;
		return server;
	};
	return {
		create,
		/** Whether a client is connected, or was since the last call. */
		takeUse(): boolean {
			const isUsed = wasUsed || connected > 0;
			wasUsed = false;
			return isUsed;
		},
	};
}

export function closeServer(server: Server): Promise<void> {
	return new Promise(resolve => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function send(response: ServerResponse, status: number, requestId: string, body: unknown): void {
	const text = JSON.stringify(body);
	response.writeHead(status, {
		'Content-Type': 'application/json',
		Server: embeddedServer,
		'Content-Length': Buffer.byteLength(text),
		'X-Request-Id': requestId,
		'Cache-Control': 'no-store',
	});
	response.end(text);
}

/** The body of an error response: the contract describes it for analytics, and mostly leaves it open elsewhere. */
function errorBody({message: detail, status, title, errors, type}: Refusal, requestId: string): unknown {
	return {type, title, detail, status, requestId, errors: errors.length > 0 ? errors : undefined};
}
