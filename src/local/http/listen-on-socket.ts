import {rmSync} from 'node:fs';
import {listenAt} from '../../../hooks/private-socket.ts';
import {LocalServiceError} from '../local-error.ts';
import {createKey, writePrivateFile} from '../private-files.ts';
import {socketFile, socketKeyFile} from '../socket-address.ts';
import {type CreateServer, closeServer} from './server.ts';

/** A listener that only this user's programs can reach. */
export type SocketListener = Awaited<ReturnType<typeof listenOnSocket>>;

const maxConnections = 256;
const backlog = 128;

/** Listens on the socket of a folder, whose lock the caller holds, with a new key. Throws `LocalServiceError`. */
export async function listenOnSocket(createServer: CreateServer, folder: string) {
	const file = socketFile(folder);
	// Left by a service that was killed: nobody else listens here while we hold the lock.
	rmSync(file, {force: true});
	const key = createKey();
	writePrivateFile(socketKeyFile(folder), key.reveal());
	const server = createServer(key, maxConnections);
	await listenAt(server, file, backlog).catch((cause: Error) => {
		throw new LocalServiceError(`the embedded service can't listen: ${cause.message}`, {cause});
	});
	server.on('error', () => {});
	return {file, key, takeUse: server.takeUse, close: () => closeServer(server)};
}
