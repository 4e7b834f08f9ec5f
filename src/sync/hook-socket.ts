import {unlinkSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {randomId} from '../../hooks/random-id.ts';
import {openRuntimeFolder, type Place} from '../../hooks/runtime-folder.ts';
import {endpoint, formatSocketName, maxSocketPath} from '../../hooks/socket-name.ts';
import {findSockets, removeIfDead} from '../../hooks/sockets.ts';

/**
 * Hooks that may wait to be let in: as many as come in a tenth of a second at 5,000 a second. In a longer queue all of
 * them wait until they give up, and none is answered in time; one that is refused at once spools.
 */
const backlog = 511;

/** The runtime folder is there but no socket can be listened on in it. */
export class HookSocketError extends Error {
	override readonly name = 'HookSocketError';
}

/** A listening socket of this process alone; `file` is its name on disk. */
export type HookSocket = {readonly server: Server; readonly file: string};

/**
 * Listens on a new socket in `folder`, or in the runtime folder of this environment. Only the user can connect.
 * Rejects with `RuntimeFolderError` or `HookSocketError`.
 */
export async function listenForHooks(
	folder: string | undefined,
	place: Place,
	startedAt: number,
): Promise<HookSocket> {
	folder ??= openRuntimeFolder(place);
	const tag = randomId()
		.replaceAll('-', '')
		.slice(0, place.platform === 'win32' ? 32 : 8);
	const name = formatSocketName({startedAt, pid: process.pid, tag});
	const file = join(folder, name);
	const address = endpoint(folder, name, place.platform);
	if (Buffer.byteLength(address) > maxSocketPath) {
		throw new HookSocketError(
			`the path ${address} is too long for a socket: set XDG_RUNTIME_DIR to a shorter one`,
		);
	}
	const server = createServer({allowHalfOpen: true});
	await listen(server, address);
	if (place.platform === 'win32') writeFileSync(file, '', {mode: 0o600});
	return {server, file};
}

function listen(server: Server, address: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', cause => {
			reject(new HookSocketError(`can't listen on ${address}: ${cause.message}`, {cause}));
		});
		// The socket is made inside `listen`, closed to others from its first moment.
		const mask = process.umask(0o177);
		try {
			server.listen({path: address, backlog}, () => resolve());
		} finally {
			process.umask(mask);
		}
	});
}

/** Removes the sockets that dead processes left in `folder`: refused, and nobody of that pid lives. */
export async function sweepSockets(folder: string, place: Place): Promise<void> {
	await Promise.all(
		findSockets([folder], place).map(
			socket =>
				new Promise<void>(resolve => {
					const probe = connect(socket.address);
					probe.on('connect', () => probe.destroy());
					probe.on('error', (error: NodeJS.ErrnoException) => {
						if (error.code === 'ECONNREFUSED') removeIfDead(socket);
					});
					probe.on('close', () => resolve());
				}),
		),
	);
}

/** Stops listening. Node removes the socket; a pipe's announcement on Windows is ours to remove. */
export function closeHookSocket({server, file}: HookSocket): Promise<void> {
	return new Promise(resolve => {
		server.close(() => resolve());
		try {
			unlinkSync(file);
		} catch {
			// Gone with the server.
		}
	});
}
