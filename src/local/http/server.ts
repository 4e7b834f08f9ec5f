import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Secret} from '../../config/secret.ts';
import {errorCode, LocalServiceError} from '../local-error.ts';
import type {Axes} from '../local-service.ts';
import {checkHost, checkKey} from './authorise.ts';
import {errorBody} from './error-body.ts';
import {readBody} from './read-body.ts';
import {Refusal} from './refusal.ts';
import type {Router} from './router.ts';

// Imported by `import`, node:http gives out all its exports, and one of them loads a WebSocket client: 40 ms at start.
const {createServer} = process.getBuiltinModule('node:http');

export type LocalServer = {readonly url: string; close(): Promise<void>};

/** Serves the routes on 127.0.0.1, and nowhere else; on any free port when it is 0. Throws `LocalServiceError` when the port can't be had. */
export async function startServer(
	router: Router,
	key: Secret,
	axes: Axes,
	port: number,
	closing: AbortSignal,
): Promise<LocalServer> {
	let posts = 0;
	let isCold = axes.coldCall > 0;

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const requestId = randomUUID();
		const [pathname = '/', search = ''] = (request.url ?? '/').split('?', 2);
		try {
			checkHost(request);
			checkKey(request, key);
			const {route, params} = router.find(request.method ?? '', pathname);
			const body = await readBody(request);
			if (isCold) {
				isCold = false;
				await pause(axes.coldCall, closing);
			}
			const userAgent = request.headers['user-agent'] ?? '';
			const answer = await route.handle({params, query: new URLSearchParams(search), body, userAgent});
			const isLost =
				route.method === 'POST' && axes.losesEveryNthPost > 0 && ++posts % axes.losesEveryNthPost === 0;
			if (isLost) request.socket.destroy();
			else send(response, route.status, requestId, 'application/json', JSON.stringify(answer));
		} catch (error) {
			// What is not a refusal is a bug or a full disk; the client is told no more than that.
			const refusal =
				error instanceof Refusal ? error : new Refusal(500, 'the service failed to answer this request');
			const isAnalytics = pathname.startsWith('/api/v1/analytics/');
			const {contentType, text} = errorBody(refusal, isAnalytics ? 'problem' : axes.errorShape, requestId);
			// A body that was not read whole would be taken for the next request.
			if (!request.complete) response.setHeader('Connection', 'close');
			if (refusal.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
			send(response, refusal.status, requestId, contentType, text);
		}
	};

	const server = createServer((request, response) => {
		response.on('error', () => {});
		handle(request, response).catch(() => request.destroy());
	});
	server.requestTimeout = 60_000;
	// Longer than the pauses between a client's polls at rest.
	server.keepAliveTimeout = 120_000;
	await new Promise<void>((resolve, reject) => {
		server.once('error', cause => reject(new LocalServiceError(listenProblem(cause, port), {cause})));
		server.listen(port, '127.0.0.1', resolve);
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function send(response: ServerResponse, status: number, requestId: string, type: string, text: string): void {
	response.writeHead(status, {
		'Content-Type': type,
		'Content-Length': Buffer.byteLength(text),
		'X-Request-Id': requestId,
		'Cache-Control': 'no-store',
	});
	response.end(text);
}

function listenProblem(cause: Error, port: number): string {
	if (errorCode(cause) === 'EADDRINUSE')
		return `port ${port} on 127.0.0.1 is taken: choose another, or 0 for any free one`;
	return `127.0.0.1:${port} can't be listened on (${errorCode(cause)}): choose another port`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		const end = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', end);
			resolve();
		};
		const timer = setTimeout(end, ms);
		signal.addEventListener('abort', end);
	});
}
