import type {Server} from 'node:http';
import {listenPrivately, type PrivateSocket, sweepSockets} from '../../../hooks/private-socket.ts';
import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import type {Secret} from '../../config/secret.ts';
import {LocalServiceError} from '../local-error.ts';
import {type CreateServer, closeServer} from './server.ts';

/** A listener that only this user's programs can reach. */
export type SocketListener = Awaited<ReturnType<typeof listenOnSocket>>;

const maxConnections = 256;
const backlog = 128;
/** How often to check that the socket is still in place, ms. */
const checkEvery = 2000;

/**
 * Listens on a socket in the private `stateFolder`, and again on a new one when it was removed. Then calls `onMove`,
 * repeatedly until it doesn't throw. Clients send the key to whoever listens there, and a sandbox that hides the state
 * folder from an agent keeps it from taking the socket's place. Only if no socket can be there, as when its path is too
 * long, the runtime folder is used. Throws `LocalServiceError` if that fails, too.
 */
export async function listenOnSocket(
	createServer: CreateServer,
	key: Secret,
	stateFolder: string,
	onMove: () => void,
) {
	const environment = currentEnvironment();
	/** Includes servers that lost their socket, until their last connection ends. */
	const servers = new Set<Server>();
	let isMoveReported = true;
	let isClosed = false;
	let moving: Promise<void> | undefined;

	const listenIn = async (folder: string): Promise<PrivateSocket> => {
		const server = createServer(key, maxConnections);
		const socket = await listenPrivately(server, {
			kind: 'service',
			folder,
			environment,
			startedAt: Date.now(),
			backlog,
		});
		server.on('error', () => {});
		for (const lost of servers) lost.close(() => servers.delete(lost));
		servers.add(server);
		void sweepSockets(folder, environment, 'service');
		return socket;
	};
	const listen = async () => {
		try {
			return await listenIn(stateFolder);
		} catch {
			return listenIn(openRuntimeFolder(environment));
		}
	};
	const check = async () => {
		try {
			if (!socket.isInPlace()) {
				socket = await listen();
				isMoveReported = false;
			}
			if (!isMoveReported && !isClosed) onMove();
			isMoveReported = true;
		} catch {
			// No folder now, or a full disk: the next check tries again.
		}
	};

	let socket = await listen().catch((cause: Error) => {
		throw new LocalServiceError(`the embedded service can't listen: ${cause.message}`, {cause});
	});
	const timer = setInterval(() => {
		moving ??= check().finally(() => {
			moving = undefined;
		});
	}, checkEvery).unref();
	return {
		/** Absolute path of the socket. It changes when the socket or its folder was removed. */
		get file() {
			return socket.file;
		},
		async close(): Promise<void> {
			isClosed = true;
			clearInterval(timer);
			await moving;
			await Promise.all([...servers].map(closeServer));
		},
	};
}
