import {randomBytes, randomUUID} from 'node:crypto';
import {renameSync, rmSync, writeFileSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {Secret} from '../../config/secret.ts';
import {listenAt} from '../../hook-listeners/listen-at.ts';
import {errorCode, LocalServiceError} from '../local-error.ts';
import {socketFile, socketKeyFile} from '../socket-address.ts';
import {type CreateServer, closeServer} from './server.ts';

/** A listener that only this user's programs can reach. */
export type SocketListener = Awaited<ReturnType<typeof listenOnSocket>>;

const maxPrograms = 256;
const backlog = 128;

/** Listens on the socket of a folder, whose lock the caller holds, with a new key. Throws `LocalServiceError`. */
export async function listenOnSocket(createServer: CreateServer, folder: string) {
	const file = socketFile(folder);
	// Left by a service that was killed: nobody else listens here while we hold the lock.
	rmSync(file, {force: true});
	const key = createKey();
	writeKey(socketKeyFile(folder), key);
	const server = createServer(key, maxPrograms);
	await listenAt(server, file, backlog, 'XDG_STATE_HOME').catch((cause: Error) => {
		throw new LocalServiceError(`the embedded service can't listen: ${cause.message}`, {cause});
	});
	server.on('error', () => {});
	return {file, key, close: () => closeServer(server)};
}

/** Any local user can connect, so this caps the file descriptors they can take from this process. */
const maxClients = 64;

/**
 * A listener for third-party clients. Its key is new at each start and expires with it, because clients will
 * send their old key to whichever process binds the port next.
 */
export type PortListener = Awaited<ReturnType<typeof listenOnPort>>;

/** Listens on 127.0.0.1 only; port 0 picks any free port. Throws `LocalServiceError`. */
export async function listenOnPort(createServer: CreateServer, folder: string, port: number) {
	const key = createKey();
	const server = createServer(key, maxClients);
	await new Promise<void>((resolve, reject) => {
		server.once('error', cause => reject(new LocalServiceError(listenProblem(cause, port), {cause})));
		server.listen(port, '127.0.0.1', resolve);
	});
	const {port: bound} = server.address() as AddressInfo;
	// Named after the port, which is exclusive, so that a client's profile can refer to it permanently.
	const keyFile = join(folder, `key-${bound}`);
	try {
		writeKey(keyFile, key);
	} catch (error) {
		await closeServer(server);
		throw error;
	}
	return {
		/** `http://127.0.0.1:PORT`, both the base address and the app address. */
		url: `http://127.0.0.1:${bound}`,
		key,
		/**
		 * File that holds the key (mode 0600). One of a given port stays: a client that refers to it starts offline, with
		 * what it has stored, and reads the next key there.
		 */
		keyFile,
		close(): Promise<void> {
			if (port === 0) rmSync(keyFile, {force: true});
			return closeServer(server);
		},
	};
}

function listenProblem(cause: Error, port: number): string {
	if (errorCode(cause) === 'EADDRINUSE')
		return `port ${port} on 127.0.0.1 is taken: choose another, or 0 for any free one`;
	return `127.0.0.1:${port} can't be listened on (${errorCode(cause)}): choose another port`;
}

/** Writes a key to a file that only its owner can read, at once. Throws `LocalServiceError`. */
function writeKey(file: string, key: Secret): void {
	const temporary = `${file}.${randomUUID()}`;
	try {
		writeFileSync(temporary, key.reveal(), {flag: 'wx', mode: 0o600});
		renameSync(temporary, file);
	} catch (cause) {
		rmSync(temporary, {force: true});
		throw new LocalServiceError(`the file ${file} can't be written (${errorCode(cause)})`, {cause});
	}
}

/** A new bearer key: 32 random bytes in base64url. */
function createKey(): Secret {
	return new Secret(randomBytes(32).toString('base64url'));
}
