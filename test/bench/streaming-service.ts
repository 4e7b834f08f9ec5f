import {createServer} from 'node:http';

// A service with one session that gains messages at a steady rate, newest first, and any computer that is asked for:
// `node streaming-service.ts RATE`.
const [rate = 0] = process.argv.slice(2).map(Number);
const started = Date.now();
const before = 200;
const count = () => before + Math.floor(((Date.now() - started) / 1000) * rate);

const message = (number: number) => ({
	id: `streamed-${number}`,
	role: 'assistant',
	createdAt: started + (number - before) * 20,
	content: [{type: 'text', text: `${number} the agent edits a file and runs tests`}],
});

const computer = (id: string) => ({
	id,
	name: 'bench',
	status: 'active',
	providerType: 'byom',
	createdAt: started,
});

const server = createServer(({url = '/'}, response) => {
	response.setHeader('content-type', 'application/json');
	const {pathname, searchParams: query} = new URL(url, 'http://127.0.0.1');
	const computerId = /\/computers\/([^/]+)$/.exec(pathname)?.[1];
	if (computerId !== undefined) {
		response.end(JSON.stringify(computer(computerId)));
		return;
	}
	const next = Number(query.get('cursor') ?? count());
	const limit = Number(query.get('limit') ?? 20);
	const role = query.get('role');
	const size = role === null || role === 'assistant' ? Math.min(limit, next) : 0;
	const messages = Array.from({length: size}, (_, index) => message(next - index - 1));
	const hasMore = size > 0 && next > size;
	const pagination = {hasMore, ...(hasMore && {nextCursor: String(next - size)})};
	response.end(JSON.stringify({messages, pagination}));
});
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
