import {rmSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {Secret} from '../../config/secret.ts';
import {errorCode, LocalServiceError} from '../local-error.ts';
import {createKey, writePrivateFile} from '../private-files.ts';
import {type CreateServer, closeServer} from './server.ts';

/** Any user of this machine can connect: these, and no more of this process's descriptors, are theirs to take. */
const maxConnections = 64;

/**
 * A listener for clients that aren't ours. Its key is made anew at each start and ends with it, since whoever binds
 * the port afterwards is sent whatever key its clients still have.
 */
export type PortListener = {
	/** `http://127.0.0.1:PORT`, both base and app address. */
	readonly url: string;
	readonly key: Secret;
	/** Holds the key while this listens, mode 0600. */
	readonly keyFile: string;
	close(): Promise<void>;
};

/** Listens on 127.0.0.1, and nowhere else; on any free port when it is 0. Throws `LocalServiceError`. */
export async function listenOnPort(
	createServer: CreateServer,
	folder: string,
	port: number,
): Promise<PortListener> {
	const key = createKey();
	const server = createServer(key, maxConnections);
	await new Promise<void>((resolve, reject) => {
		server.once('error', cause => reject(new LocalServiceError(listenProblem(cause, port), {cause})));
		server.listen(port, '127.0.0.1', resolve);
	});
	const {port: bound} = server.address() as AddressInfo;
	// Named for the port, which nobody else has meanwhile, so that a client's profile can name it once and for all.
	const keyFile = join(folder, `key-${bound}`);
	try {
		writePrivateFile(keyFile, key.reveal());
	} catch (error) {
		await closeServer(server);
		throw error;
	}
	return {
		url: `http://127.0.0.1:${bound}`,
		key,
		keyFile,
		close() {
			rmSync(keyFile, {force: true});
			return closeServer(server);
		},
	};
}

function listenProblem(cause: Error, port: number): string {
	if (errorCode(cause) === 'EADDRINUSE')
		return `port ${port} on 127.0.0.1 is taken: choose another, or 0 for any free one`;
	return `127.0.0.1:${port} can't be listened on (${errorCode(cause)}): choose another port`;
}
