import {createServer, type Http2ServerRequest, type Http2ServerResponse} from 'node:http2';
import {Duplex, pipeline} from 'node:stream';
import {readSettings} from '../config/settings.ts';
import {unreachableProblem} from '../domain/computers/computer.ts';
import {localFolder} from '../embedded-service.ts';
import {socketAddress} from '../local/socket-address.ts';
import {reachService} from '../reach-service.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';

// Importing node:http evaluates all its exports, and one of them loads a WebSocket client: 40 ms.
const {request: callService} = process.getBuiltinModule('node:http');

/** The service started here ends after an hour without a bridge and without work, s. */
const serviceIdle = 3600;
/** Without a ping for this long, ms, the other end is gone. */
const pingTimeout = 60_000;

/**
 * Connects the embedded service of this machine to a Quarterdeck elsewhere: HTTP/2 on standard input and output, after
 * a line that says so. The key of the service stays here. Ends with its input, and when the other end is silent.
 */
export async function bridge({input, system, signal}: CommandContext): Promise<ExitCode> {
	const settings = await readSettings({...input, flags: {...input.flags, local: true}});
	const folder = localFolder(settings);
	await reachService({...settings, serviceIdle});
	const {stdin, stdout} = system;
	const server = createServer((request, response) => forward(folder, request, response, end));
	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	let silence = setTimeout(end, pingTimeout);
	server.on('session', session => {
		session.on('error', () => {});
		session.on('close', end);
		session.on('ping', () => {
			clearTimeout(silence);
			silence = setTimeout(end, pingTimeout);
		});
	});
	signal.addEventListener('abort', () => end());
	stdout.write('\nquarterdeck-bridge 1\n');
	server.emit('connection', Duplex.from({readable: stdin, writable: stdout}));
	await ended;
	clearTimeout(silence);
	// The other end may keep it open, and so this process.
	if ('unref' in stdin) stdin.unref();
	return exitCodes.done;
}

/** Makes a request of the other end at the service. `end` is called if the service is gone: the next bridge starts it. */
function forward(
	folder: string,
	request: Http2ServerRequest,
	response: Http2ServerResponse,
	end: () => void,
): void {
	const refuse = (error: Error) => {
		if (response.headersSent) response.stream.destroy();
		else {
			const problem = {type: unreachableProblem, title: 'Unreachable', detail: error.message, status: 503};
			response.writeHead(503, {'content-type': 'application/json'});
			response.end(JSON.stringify(problem), end);
		}
	};
	try {
		const {key: serviceKey, socket} = socketAddress(folder);
		const {'content-type': type, 'user-agent': agent = '', 'idempotency-key': key} = request.headers;
		const call = callService(
			{
				socketPath: socket?.path,
				method: request.method,
				path: request.url,
				headers: {
					host: 'localhost',
					authorization: `Bearer ${serviceKey.reveal()}`,
					'user-agent': agent,
					...(type && {'content-type': type}),
					...(key && {'idempotency-key': key}),
				},
			},
			answer => {
				response.writeHead(answer.statusCode ?? 502, {'content-type': 'application/json'});
				pipeline(answer, response, () => {});
			},
		);
		call.on('error', error => {
			const {code = ''} = error as NodeJS.ErrnoException;
			if (['ENOENT', 'ECONNREFUSED'].includes(code)) refuse(error);
			else response.stream.destroy();
		});
		pipeline(request, call, () => {});
	} catch (error) {
		// The socket is gone, or belongs to someone else.
		refuse(error as Error);
	}
}
