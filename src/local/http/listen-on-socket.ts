import type {Server} from 'node:http';
import {listenPrivately, type PrivateSocket, sweepSockets} from '../../../hooks/private-socket.ts';
import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import type {Secret} from '../../config/secret.ts';
import {LocalServiceError} from '../local-error.ts';
import {type CreateServer, closeServer} from './server.ts';

/** A listener that only this user's programs can reach. */
export type SocketListener = {
	/** The socket's file, absolute. It changes when the file or its folder was removed. */
	readonly file: string;
	close(): Promise<void>;
};

const maxConnections = 256;
const backlog = 128;
/** How often we look whether the socket is still in its place, ms. */
const checkEvery = 2000;

/**
 * Listens on a socket in the runtime folder; anew when a cleaner of temporary folders has removed it. `onMove` is told
 * then, again and again until it doesn't throw. Where there is no such folder (another user may have taken its name in
 * the temporary folder) it listens in `stateFolder`, a private one. Throws `LocalServiceError` when that fails too.
 */
export async function listenOnSocket(
	createServer: CreateServer,
	key: Secret,
	stateFolder: string,
	onMove: () => void,
): Promise<SocketListener> {
	const environment = currentEnvironment();
	/** Those that lost their socket end with their last connection. */
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
			return await listenIn(openRuntimeFolder(environment));
		} catch {
			return listenIn(stateFolder);
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
			// No folder now, or a full disk: the next look tries again.
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
		get file() {
			return socket.file;
		},
		async close() {
			isClosed = true;
			clearInterval(timer);
			await moving;
			await Promise.all([...servers].map(closeServer));
		},
	};
}
