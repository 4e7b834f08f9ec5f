import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {portOf, startTestService} from '../../support/local-service.ts';
import {callRaw} from '../../support/raw-call.ts';

/** Opens connections that say `words` and no more. */
async function open(count: number, port: number, words: string): Promise<Socket[]> {
	return Promise.all(
		Array.from({length: count}, async () => {
			const socket = connect(port, '127.0.0.1');
			onTestFinished(() => void socket.destroy());
			socket.on('error', () => {}).resume();
			await once(socket, 'connect');
			socket.write(words);
			return socket;
		}),
	);
}

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;

test('connections that say nothing, or half a request, are limited in number, and end', async () => {
	const {local, service} = await startTestService({port: 0});
	const port = Number(new URL(portOf(local).url).port);
	const half = 'POST /api/v0/sessions HTTP/1.1\r\nHost: localhost\r\n';
	const sockets = [...(await open(32, port, half)), ...(await open(168, port, ''))];
	await expect.poll(() => sockets.filter(isOpen).length).toBe(64);
	// Whoever comes by the socket isn't in their way.
	expect((await service.users.list()).items).toHaveLength(1);
	await Promise.all(sockets.filter(isOpen).map(socket => once(socket, 'close')));
	expect((await callRaw(local, 'GET', '/api/v0/organization/users')).status).toBe(200);
});

test("a stranger can't keep a connection open", async () => {
	const {local} = await startTestService({port: 0});
	const {host, port} = new URL(portOf(local).url);
	for (const name of [host, 'evil.example']) {
		const [socket] = await open(1, Number(port), `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
		await once(socket ?? expect.fail(), 'close');
	}
});

test('the key file of a given port outlives the service, with the old key until the next start', async () => {
	const start = async (port: number, folder?: string) => {
		const service = await startTestService({port, ...(folder && {folder})});
		const {url = '', keyFile = '', key} = service.local.port ?? {};
		return {...service, port: Number(new URL(url).port), keyFile, key: key?.reveal()};
	};
	const free = await start(0);
	await free.close();
	expect(existsSync(free.keyFile)).toBe(false);
	const first = await start(free.port, free.folder);
	await first.close();
	expect(readFileSync(first.keyFile, 'utf8')).toBe(first.key);
	const next = await start(free.port, free.folder);
	expect(next.keyFile).toBe(first.keyFile);
	expect(readFileSync(next.keyFile, 'utf8')).toBe(next.key);
	expect(next.key).not.toBe(first.key);
});
