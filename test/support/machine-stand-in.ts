import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {createServer, type ServerHttp2Session} from 'node:http2';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openStorage} from '../../src/local/storage/open-storage.ts';
import {temporaryFolder} from './local-service.ts';

/** Answers a request with JSON; undefined leaves it open, and null breaks it off. */
export type Answer = (request: {
	readonly method: string;
	readonly url: URL;
	readonly body: unknown;
}) => unknown;

/** A machine that says what the test wants. A computer's host has its `command`. */
export async function machineStandIn(answer: Answer) {
	const sessions = new Set<ServerHttp2Session>();
	const server = createServer(async (request, response) => {
		const chunks = await request.toArray();
		const text = Buffer.concat(chunks).toString();
		const url = new URL(request.url, 'http://localhost');
		const body = text === '' ? undefined : JSON.parse(text);
		const said = await answer({method: request.method, url, body});
		if (said === null) response.stream.destroy();
		else if (said !== undefined) response.end(JSON.stringify(said));
	});
	server.on('session', session => {
		sessions.add(session);
		session.on('error', () => {});
		session.on('close', () => sessions.delete(session));
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	onTestFinished(() => {
		for (const session of sessions) session.destroy();
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	const file = join(temporaryFolder(), 'machine.cjs');
	writeFileSync(file, bridgeTo(port));
	return {command: [process.execPath, file]};
}

/** Takes the place of a shell and its bridge: skips the script, and passes on all after it. */
function bridgeTo(port: number): string {
	return `
process.stdout.write('\\nquarterdeck-bridge 1\\n');
let start = Buffer.alloc(0);
process.stdin.on('data', function skip(chunk) {
	start = Buffer.concat([start, chunk]);
	const at = start.indexOf('PRI * HTTP/2.0');
	if (at < 0) return;
	process.stdin.off('data', skip);
	const socket = require('node:net').connect(${port}, '127.0.0.1');
	socket.on('error', () => {}).on('close', () => process.exit());
	socket.write(start.subarray(at));
	process.stdin.pipe(socket).pipe(process.stdout);
});
`;
}

/** Stores a machine that has been set up, before the service over `folder` starts. Returns its computer's id. */
export function storeMachine(folder: string, command: readonly string[], name = 'devbox'): string {
	const storage = openStorage(folder);
	const id = randomUUID();
	const computer = {id: 'there', name: 'own name', remoteUser: 'me', provider: 'byom', createdAt: 1};
	const machine = {host: {command}, repos: [], installsDeps: false, computer};
	storage.computers.add({id, name, remoteUser: 'me', workspace: '', machine}, []);
	storage.computers.update(id, {status: 'active'});
	storage.close();
	return id;
}
