import {basename, dirname, isAbsolute} from 'node:path';
import {socketProblem} from '../../hooks/private-socket.ts';
import {currentEnvironment} from '../../hooks/runtime-folder.ts';
import {endpoint, parseSocketName} from '../../hooks/socket-name.ts';
import type {ServiceAddress} from '../config/config.ts';
import type {Secret} from '../config/secret.ts';
import {LocalServiceError} from './local-error.ts';

/**
 * The address of a service that listens on a socket. Checks the socket and its folder now, and again for each
 * connection before anything is sent. Throws `LocalServiceError` unless both belong to this user alone.
 */
export function socketAddress(file: string, key: Secret): ServiceAddress {
	const environment = currentEnvironment();
	const check = () => {
		const isNamed = isAbsolute(file) && parseSocketName(basename(file), 'service') !== undefined;
		const problem = isNamed
			? socketProblem(file, environment)
			: `${file} is not a socket of the embedded service`;
		if (problem !== undefined)
			throw new LocalServiceError(
				`the embedded service can't be reached: ${problem}; try again in a moment, or end the program that runs it`,
			);
	};
	check();
	return {
		baseUrl: 'http://localhost',
		appUrl: 'http://localhost',
		key,
		socket: {path: endpoint(dirname(file), basename(file), environment.platform), check},
	};
}
