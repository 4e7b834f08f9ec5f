import {createServer} from 'node:http';
import {type StreamingOptions, streamedMessage} from './streamed-message.ts';

// A service with one session that gains messages, at a steady rate or when told to, and any computer that is asked for:
// `node streaming-service.ts OPTIONS`, as JSON. `GET /counts` answers what was asked of its messages since the last time.
const options = JSON.parse(process.argv[2] ?? '{}') as Partial<StreamingOptions>;
const {rate = 0, before = 200, startedAt = Date.now(), order = 'newest first', isBare = false} = options;
let more = 0;
let requests = 0;
let bytes = 0;
const count = () => before + more + Math.floor(((Date.now() - startedAt) / 1000) * rate);

const message = (number: number) => streamedMessage(number, {before, startedAt, isBare});

/** Numbers of the messages that a listing has, oldest first. Without a role in them the filter tells the user's: every tenth. */
function listed(role: string | null): {readonly length: number; at(index: number): number} {
	if (role === null || (role === 'assistant' && !isBare)) return {length: count(), at: index => index};
	const users = Math.ceil(count() / 10);
	if (role === 'user' && isBare) return {length: users, at: index => index * 10};
	if (role === 'assistant') return {length: count() - users, at: index => index + 1 + Math.floor(index / 9)};
	return {length: 0, at: index => index};
}

function listing(query: URLSearchParams): string {
	const limit = Number(query.get('limit') ?? 20);
	const cursor = query.get('cursor');
	const {length, at} = listed(query.get('role'));
	const page = (from: number, to: number) => Array.from({length: to - from}, (_, index) => at(from + index));
	if (order === 'oldest first') {
		const from = Number(cursor ?? 0);
		const to = Math.min(length, from + limit);
		return envelope(page(from, to), to < length ? String(to) : undefined);
	}
	const to = Number(cursor ?? length);
	const from = Math.max(0, to - limit);
	return envelope(page(from, to).reverse(), from > 0 ? String(from) : undefined);
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
	if (pathname === '/counts') {
		const counts = {requests, bytes};
		requests = 0;
		bytes = 0;
		return JSON.stringify(counts);
	}
	if (pathname === '/add') return String(++more);
	const computerId = /\/computers\/([^/]+)$/.exec(pathname)?.[1];
	if (computerId !== undefined) return JSON.stringify(computer(computerId));
	const body = listing(query);
	requests++;
	bytes += Buffer.byteLength(body);
	return body;
}

const server = createServer(({url = '/'}, response) => {
	response.setHeader('content-type', 'application/json');
	response.end(answer(url));
});
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
