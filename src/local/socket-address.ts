import {join} from 'node:path';
import {socketProblem} from '../../hooks/private-socket.ts';
import {readRegularFile} from '../../hooks/regular-file.ts';
import {currentEnvironment} from '../../hooks/runtime-folder.ts';
import type {ServiceAddress} from '../config/config.ts';
import {Secret} from '../config/secret.ts';
import {LocalServiceError} from './local-error.ts';

/** Where the service of a folder listens: in the folder, so that every program finds it, whatever its environment. */
export function socketFile(folder: string): string {
	return join(folder, 'service.sock');
}

/** The key of the service that listens now: a sandbox may let an agent connect, but not read the folder. */
export function socketKeyFile(folder: string): string {
	return join(folder, 'service.key');
}

/**
 * The address of the service of a folder. Checks its socket now, and again for each connection before anything is sent.
 * Throws `LocalServiceError` unless socket and folder belong to this user alone.
 */
export function socketAddress(folder: string): ServiceAddress {
	const path = socketFile(folder);
	const environment = currentEnvironment();
	const check = () => {
		const problem = socketProblem(path, environment);
		if (problem !== undefined)
			throw new LocalServiceError(
				`the embedded service can't be reached: ${problem}; try again in a moment, or end the program that runs it`,
			);
	};
	check();
	return {
		baseUrl: 'http://localhost',
		appUrl: 'http://localhost',
		key: new Secret(readRegularFile(socketKeyFile(folder))),
		socket: {path, check},
	};
}
