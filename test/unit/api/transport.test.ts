import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {once} from 'node:events';
import {type AddressInfo, createServer as createTcpServer} from 'node:net';
import {expect, test, vi} from 'vitest';
import {outcomeOf} from '../../../src/api/errors.ts';
import {Transport} from '../../../src/api/http/http.ts';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import type {Service} from '../../../src/api/service.ts';
import {Secret} from '../../../src/config/secret.ts';
import {systemClock} from '../../../src/domain/clock.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {
	body,
	bomb,
	compressed,
	drip,
	garbage,
	json,
	resetAfter,
	silence,
	wholeAnswer,
} from '../../support/replies.ts';
import {canary, errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const draft = {text: 'x'};
const answer = JSON.stringify({messageId: 'm1', status: 'pending'});

test("a reset at any byte leaves a message's outcome unknown, and it isn't posted again", async () => {
	const length = wholeAnswer(answer).length;
	for (let count = 0; count < length; count++) {
		harness.server.answer(resetAfter(count, answer));
		const error = await errorOf(harness.service.messages.add('s1', draft));
		expect(error, `after ${count} bytes`).toMatchObject({name: 'LostResponseError'});
		expect(error.cause).toBeInstanceOf(Error);
		expect(outcomeOf(error)).toBe('unknown');
		expect(harness.server.requests).toHaveLength(count + 1);
		expect(harness.facts.at(-1)).toMatchObject({ok: false, resource: 'messages.add'});
	}
});

test('a refusal whose body breaks off is still a refusal', async () => {
	const words = '{"message": "a long explanation"}';
	harness.server.answer(resetAfter(wholeAnswer(words, 422).length - 5, words, 422));
	const error = await errorOf(harness.service.messages.add('s1', draft));
	expect(error).toMatchObject({name: 'RejectedError', status: 422});
});

test.each([
	['messages.add', 120_000, (s: Service) => s.messages.add('s1', draft)],
	['computers.get', 60_000, (s: Service) => s.computers.get('c1')],
])('%s has %i ms in all, whether the service is silent or drips', async (_name, budget, call) => {
	for (const reply of [silence(), drip()]) {
		const clock = fakeClock();
		const count = harness.server.requests.length;
		harness.server.answer(reply);
		const failed = errorOf(call(harness.client(clock)));
		await harness.server.asked(count + 1);
		await clock.advance(budget - 1);
		expect(clock.pending).toBeGreaterThan(0);
		await clock.advance(1);
		expect(await failed).toMatchObject({name: 'LostResponseError'});
		expect(clock.pending).toBe(0);
	}
});

test('a refusal that trickles in counts as a refusal when the time is up', async () => {
	const clock = fakeClock();
	harness.server.answer(drip(403));
	const headers = new Promise<void>(resolve => {
		const channel = 'undici:request:headers';
		const seen = () => {
			unsubscribe(channel, seen);
			resolve();
		};
		subscribe(channel, seen);
	});
	const failed = errorOf(harness.client(clock).messages.add('s1', draft));
	await headers;
	await clock.advance(120_000);
	expect(await failed).toMatchObject({name: 'ForbiddenError'});
});

test('counts a message as not sent when the connection is refused or the client is closed', async () => {
	const port = await freePort();
	const baseUrl = `http://127.0.0.1:${port}`;
	const service = createHttpService({address: {baseUrl, appUrl: baseUrl, key: new Secret('k')}});
	const refused = await errorOf(service.messages.add('s1', draft));
	await service.close();
	expect(refused).toMatchObject({
		name: 'UnreachableError',
		what: `The service can't be reached at ${baseUrl}: the connection was refused.`,
	});
	expect(refused.message).toMatch(/refused.*Check the address/);
	expect(outcomeOf(refused)).toBe('not-sent');
	await harness.service.close();
	expect(outcomeOf(await errorOf(harness.service.messages.add('s1', draft)))).toBe('not-sent');
});

test("counts a message to a host without TLS as not sent, and doesn't reveal the key", async () => {
	const heard: Buffer[] = [];
	const plain = createTcpServer(socket => {
		socket.on('data', chunk => {
			heard.push(chunk);
			socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
		});
		socket.on('error', () => {});
	});
	plain.listen(0, '127.0.0.1');
	await once(plain, 'listening');
	const baseUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
	const service = createHttpService({address: {baseUrl, appUrl: baseUrl, key: new Secret(canary)}});
	expect(outcomeOf(await errorOf(service.messages.add('s1', draft)))).toBe('not-sent');
	await service.close();
	plain.close();
	expect(Buffer.concat(heard).toString('latin1')).not.toContain(canary);
});

test('gives up as unreachable after 5 s without a connection', async () => {
	// Takes the connection and never answers the handshake.
	const mute = createTcpServer(() => {});
	mute.listen(0, '127.0.0.1');
	await once(mute, 'listening');
	const clock = fakeClock();
	const baseUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
	const service = createHttpService({address: {baseUrl, appUrl: baseUrl, key: new Secret('k')}, clock});
	const failed = errorOf(service.messages.add('s1', draft));
	await once(mute, 'connection');
	await clock.advance(5_000);
	const error = await failed;
	expect(error).toMatchObject({name: 'UnreachableError'});
	expect(error.message).toContain('5 s');
	mute.close();
});

test('closes although a proxy never answers', async () => {
	const mute = createTcpServer(() => {});
	mute.listen(0, '127.0.0.1');
	await once(mute, 'listening');
	vi.stubEnv('https_proxy', `http://127.0.0.1:${(mute.address() as AddressInfo).port}`);
	vi.stubEnv('no_proxy', '');
	const clock = fakeClock();
	const baseUrl = 'https://service.invalid';
	const service = createHttpService({address: {baseUrl, appUrl: baseUrl, key: new Secret('k')}, clock});
	vi.unstubAllEnvs();
	const failed = errorOf(service.messages.add('s1', draft));
	await once(mute, 'connection');
	await clock.advance(5_000);
	expect(await failed).toMatchObject({name: 'UnreachableError'});
	await service.close();
	mute.close();
});

test('reads gzip and brotli', async () => {
	harness.server.answer(compressed({id: 'a'}, 'gzip'), compressed({id: 'b'}, 'br'));
	expect(await harness.service.computers.get('a')).toEqual({id: 'a'});
	expect(await harness.service.computers.get('b')).toEqual({id: 'b'});
});

test.each([
	['a gzip bomb', bomb(64 * 1024 * 1024), 'too-large'],
	['a long body', body('x'.repeat(8 * 1024 * 1024 + 1)), 'too-large'],
	['broken gzip', body('not gzip', 200, {'content-encoding': 'gzip'}), 'encoding'],
	['an encoding that was not asked for', body('x', 200, {'content-encoding': 'zstd'}), 'encoding'],
	['two encodings', body('x', 200, {'content-encoding': 'gzip, gzip'}), 'encoding'],
	['deep JSON', body('['.repeat(1_000_000)), 'not-json'],
	['JSON of empty lists', body(`[${'[],'.repeat(2_000_000)}[]]`), 'not-json'],
	['a web page', body('<html>hi</html>'), 'not-json'],
	['nothing', body(''), 'not-json'],
	['half of a JSON', body('{"id": "a'), 'not-json'],
	['another shape', body('[]'), 'shape'],
])('%s fails a read and leaves the outcome of a post unknown', async (_what, reply, reason) => {
	harness.server.answer(reply, reply);
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({name: 'MalformedError', reason});
	const error = await errorOf(harness.service.messages.add('s1', draft));
	expect(error).toMatchObject({name: 'LostResponseError', cause: {reason}});
	expect(harness.server.requests).toHaveLength(2);
});

test.each([
	['{"id": "a', "The service's response can't be read: broken JSON. Try again later."],
	['['.repeat(1_000), "The service's response can't be read: JSON nested too deep. Try again later."],
	['<html>', 'The service responded with a web page instead of the expected JSON. Check the address.'],
	['Hello', 'The service responded with text instead of the expected JSON. Check the address.'],
	['', 'The service responded with an empty body instead of the expected JSON. Check the address.'],
])("doesn't blame %.10j on the address unless that may be wrong", async (content, message) => {
	harness.server.answer(body(content));
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({message});
});

test('reads the largest response that is allowed', async () => {
	const id = 'x'.repeat(8 * 1024 * 1024 - 9);
	harness.server.answer(body(JSON.stringify({id})));
	expect((await harness.service.computers.get('c1')).id.length).toBe(id.length);
});

test('a refusal with a huge body is still a refusal', async () => {
	harness.server.answer(bomb(64 * 1024 * 1024, 400), body('x'.repeat(1_000_000), 404));
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({name: 'RejectedError'});
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({name: 'NotFoundError'});
});

test.each([
	['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
	['an endless header', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`],
	['an answer that breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
	['switched protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
])('%s counts as a lost response', async (_what, bytes) => {
	harness.server.answer(garbage(bytes));
	expect(await errorOf(harness.service.messages.add('s1', draft))).toMatchObject({name: 'LostResponseError'});
});

test('an invalid UTF-8 byte costs one character', async () => {
	const bytes = Buffer.concat([Buffer.from('{"id":"a'), Buffer.from([0xff]), Buffer.from('b"}')]);
	harness.server.answer(body(bytes));
	expect(await harness.service.computers.get('c1')).toEqual({id: 'a\ufffdb'});
});

test('an aborted call says whether it was on the wire', async () => {
	const before = await errorOf(harness.service.messages.add('s1', draft, {signal: AbortSignal.abort()}));
	expect(before).toMatchObject({name: 'AbortError', isSent: false});
	expect(outcomeOf(before)).toBe('not-sent');
	expect(harness.server.requests).toEqual([]);

	harness.server.answer(silence());
	const controller = new AbortController();
	const failed = errorOf(harness.service.messages.add('s1', draft, {signal: controller.signal}));
	await harness.server.asked(1);
	controller.abort();
	const after = await failed;
	expect(after).toMatchObject({name: 'AbortError', isSent: true});
	expect(outcomeOf(after)).toBe('unknown');
	expect(harness.facts).toEqual([]);
});

test("a mistake in our own code isn't called a failure of the network", async () => {
	const origin = new URL(harness.server.url);
	const wire = new Transport({origin, displayName: 'it'}, new Secret(canary), text => text, systemClock);
	const failed = errorOf(wire.send({method: 'GET', path: 'no path'}, 1_000));
	expect(await failed).toMatchObject({
		name: 'InvalidArgumentError',
		message: expect.stringContaining('path'),
	});
	await wire.close();
});

test('each post has its own connection, while reads share one', async () => {
	const ports = new Set<number | undefined>();
	harness.server.otherwise((response, request) => {
		if (request.method === 'POST') expect(ports.has(response.socket?.remotePort)).toBe(false);
		ports.add(response.socket?.remotePort);
		return json(request.method === 'POST' ? {messageId: 'm'} : {id: 'c'})(response, request);
	});
	for (let i = 0; i < 3; i++) {
		await harness.service.computers.get('c1');
		await harness.service.messages.add('s1', draft);
	}
	expect(ports.size).toBe(4);
});

async function freePort(): Promise<number> {
	const server = createTcpServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

test('posts a long message whole, and a failure after it was read leaves its outcome unknown', async () => {
	harness.server.answer(json({messageId: 'm1', status: 'idle'}), json({}, 503));
	const long = {text: 'x'.repeat(3_000_000)};
	expect(await harness.service.messages.add('s1', long)).toMatchObject({messageId: 'm1'});
	expect(harness.server.requests[0]?.body).toEqual(long);
	expect(outcomeOf(await errorOf(harness.service.messages.add('s1', long)))).toBe('unknown');
});
