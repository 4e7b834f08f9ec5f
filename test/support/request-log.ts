import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';

/** Stands before a service: passes everything on, and notes what was asked. */
export type RequestLog = {
	readonly url: string;
	/** Queries of the message listings asked for so far, in order. */
	readonly listed: URLSearchParams[];
	/** Changes a request before it is passed on. */
	ask: (url: URL) => void;
	/** What becomes of the body of an answer. */
	change: (body: string, url: URL) => string;
};

export async function startRequestLog(target: string): Promise<RequestLog> {
	const log = {
		url: '',
		listed: [] as URLSearchParams[],
		ask: (_url: URL) => {},
		change: (body: string, _url: URL) => body,
	};
	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? '/', target);
		if (request.method === 'GET' && url.pathname.endsWith('/messages')) log.listed.push(url.searchParams);
		log.ask(url);
		const body = request.method === 'GET' ? undefined : await text(request);
		const headers = {authorization: `${request.headers.authorization}`, 'content-type': 'application/json'};
		const answer = await fetch(url, {method: `${request.method}`, headers, ...(body && {body})});
		response.writeHead(answer.status, {'content-type': `${answer.headers.get('content-type')}`});
		response.end(log.change(await answer.text(), url));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	log.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return log;
}
