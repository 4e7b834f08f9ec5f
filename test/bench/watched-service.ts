import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

/**
 * A service in a process of its own that knows every session by its id: a question from an hour ago, and its answer.
 * `/count` tells how many requests came since it was last asked.
 */
let requests = 0;
const startedAt = Date.now();
createServer((request, response) => {
	const url = new URL(request.url ?? '', 'http://service');
	response.setHeader('content-type', 'application/json');
	if (url.pathname === '/count') {
		response.end(JSON.stringify(requests));
		requests = 0;
		return;
	}
	requests++;
	const [, computer] = /^\/api\/v0\/computers\/([^/]+)$/.exec(url.pathname) ?? [];
	const [, session] = /^\/api\/v0\/sessions\/([^/]+)\/messages$/.exec(url.pathname) ?? [];
	if (computer)
		response.end(JSON.stringify({id: computer, name: computer, status: 'active', providerType: 'byom'}));
	else if (session) {
		const role = url.searchParams.get('role');
		const messages = [
			{id: `${session}-answer`, role: 'assistant', createdAt: startedAt - 3_600_000},
			{id: `${session}-question`, role: 'user', createdAt: startedAt - 3_660_000},
		]
			.filter(message => role === null || message.role === role)
			.map(({role: _, ...message}) => ({
				...message,
				content: [{id: 'text', text: `The words of ${message.id}.`}],
			}));
		response.end(JSON.stringify({messages, pagination: {hasMore: false, nextCursor: ''}}));
	} else response.writeHead(404).end('{"error":"not found"}');
}).listen(0, '127.0.0.1', function (this: ReturnType<typeof createServer>) {
	process.stdout.write(`http://127.0.0.1:${(this.address() as AddressInfo).port}\n`);
});
