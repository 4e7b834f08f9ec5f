import {createServer} from 'node:http';
import {type StreamingOptions, streamedMessage} from './streamed-message.ts';

// A service with one session that gains messages at a steady rate, and any computer that is asked for:
// `node streaming-service.ts OPTIONS`, as JSON.
const options = JSON.parse(process.argv[2] ?? '{}') as Partial<StreamingOptions>;
const {rate = 0, before = 200, startedAt = Date.now()} = options;
const count = () => before + Math.floor(((Date.now() - startedAt) / 1000) * rate);

const message = (number: number) => streamedMessage(number, {before, startedAt});

function listing(query: URLSearchParams): string {
	const limit = Number(query.get('limit') ?? 20);
	const role = query.get('role');
	const to = role === null || role === 'assistant' ? Number(query.get('cursor') ?? count()) : 0;
	const from = Math.max(0, to - limit);
	const numbers = Array.from({length: to - from}, (_, index) => to - 1 - index);
	return envelope(numbers, from > 0 ? String(from) : undefined);
}

function envelope(numbers: readonly number[], nextCursor: string | undefined): string {
	const hasMore = nextCursor !== undefined;
	return JSON.stringify({
		messages: numbers.map(message),
		pagination: {hasMore, ...(hasMore && {nextCursor})},
	});
}

const computer = (id: string) => ({
	id,
	name: 'bench',
	status: 'active',
	providerType: 'byom',
	createdAt: startedAt,
});

function answer(url: string): string {
	const {pathname, searchParams: query} = new URL(url, 'http://127.0.0.1');
	const computerId = /\/computers\/([^/]+)$/.exec(pathname)?.[1];
	if (computerId !== undefined) return JSON.stringify(computer(computerId));
	return listing(query);
}

const server = createServer(({url = '/'}, response) => {
	response.setHeader('content-type', 'application/json');
	response.end(answer(url));
});
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
