import type {Server} from 'node:net';
import {maxSocketPath} from '../../hooks/sockets.ts';

/** The folder exists, but no socket in it can be listened on. */
export class PrivateSocketError extends Error {
	override readonly name = 'PrivateSocketError';
}

/** Listens at an address that only this user can open. Rejects with `PrivateSocketError`; `folder` names the variable to set. */
export async function listenAt(
	server: Server,
	address: string,
	backlog: number,
	folder: string,
): Promise<void> {
	if (Buffer.byteLength(address) > maxSocketPath)
		throw new PrivateSocketError(
			`the path ${address} is too long for a socket: set ${folder} to a shorter one`,
		);
	return new Promise((resolve, reject) => {
		const fail = (cause: Error) =>
			reject(new PrivateSocketError(`can't listen on ${address}: ${cause.message}`, {cause}));
		server.once('error', fail);
		// `listen` creates the socket synchronously, so the umask closes it to others from the start.
		const mask = process.umask(0o177);
		try {
			server.listen({path: address, backlog}, () => {
				server.off('error', fail);
				resolve();
			});
		} finally {
			process.umask(mask);
		}
	});
}
