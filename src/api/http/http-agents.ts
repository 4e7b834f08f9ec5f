import type {buildConnector, Dispatcher} from 'undici';
// All of undici, which only a proxy needs, takes as long to load as the first request.
import Agent from 'undici/lib/dispatcher/agent.js';
import type {ServiceSocket} from '../../config/config.ts';
import {ValidationError} from '../errors.ts';

/** Connection timeout, ms. */
export const connectTimeout = 5_000;

/** undici's agents for one origin: they open and keep its connections. */
export type HttpAgents = {
	readonly reused: Dispatcher;
	/**
	 * Opens a new connection for each request. A post on a connection that the service is just closing can't
	 * be told from an accepted one.
	 */
	readonly fresh: Dispatcher;
};

/** Where connections go: straight to the origin, through a proxy, or to a local socket. */
export type Route = {
	readonly origin: URL;
	readonly proxy?: URL | undefined;
	readonly socket?: ServiceSocket | undefined;
};

/** Throws `ValidationError` if the environment turns certificate checks off. */
export async function createHttpAgents({origin, proxy, socket}: Route): Promise<HttpAgents> {
	if (socket) return agentsOf(more => new Agent({connect: connectTo(socket), ...more}));
	if (origin.protocol === 'http:')
		return agentsOf(more => new Agent({connect: {timeout: connectTimeout}, allowH2: false, ...more}));
	refuseUncheckedTls();
	// Loaded lazily: it takes longer than a request to a local service.
	const {createSecureContext, getCACertificates} = process.getBuiltinModule('node:tls');
	// One context for all connections: reading some hundred certificates takes longer than a handshake.
	const secureContext = createSecureContext({
		ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])],
	});
	const connect = {timeout: connectTimeout, secureContext};
	if (!proxy) return agentsOf(more => new Agent({connect, allowH2: false, ...more}));
	const {Pool, ProxyAgent} = await import('undici');
	return agentsOf(
		more =>
			new ProxyAgent({
				uri: proxy.href,
				connectTimeout,
				requestTls: {secureContext},
				proxyTls: {secureContext},
				allowH2: false,
				// A proxy that never answers would hold up closing for five minutes.
				clientFactory: (address, options) => new Pool(address, {...options, headersTimeout: connectTimeout}),
				...more,
			}),
	);
}

function agentsOf(create: (more: {readonly pipelining?: 0}) => Dispatcher): HttpAgents {
	return {reused: create({}), fresh: create({pipelining: 0})};
}

/**
 * Connects to a local socket. Checks it before and after connecting, so that nothing is sent to one that
 * isn't ours.
 */
function connectTo({path, check}: ServiceSocket): buildConnector.connector {
	// An `import` would load it with this file; undici has loaded it by now.
	const {connect} = process.getBuiltinModule('node:net');
	return (_options, callback) => {
		if (!isTrusted(check)) return callback(untrusted(), null);
		const connection = connect(path);
		const fail = (error: Error) => callback(error, null);
		connection.once('error', fail);
		connection.once('connect', () => {
			connection.off('error', fail);
			if (isTrusted(check)) return callback(null, connection);
			connection.destroy();
			callback(untrusted(), null);
		});
	};
}

function isTrusted(check: ServiceSocket['check']): boolean {
	try {
		check();
		return true;
	} catch {
		return false;
	}
}

function untrusted(): Error {
	return Object.assign(new Error('the socket was refused'), {code: 'UNTRUSTED_SOCKET'});
}

/** Throws `ValidationError` if certificate checks are off: the key could go to anyone. */
export function refuseUncheckedTls(): void {
	if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
	throw new ValidationError('NODE_TLS_REJECT_UNAUTHORIZED', 'is 0, which lets anyone read the key', {
		hint: 'Unset it; to trust your own certificate authority set NODE_EXTRA_CA_CERTS.',
	});
}
