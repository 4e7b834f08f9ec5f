import {Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent} from 'undici';
import type {ServiceSocket} from '../../config/config.ts';
import {isLoopback} from '../../domain/accounts/address.ts';
import {ValidationError} from '../errors.ts';

/** Connection timeout, ms. */
export const connectTimeout = 5_000;

/** undici's agents for one origin: they open and keep its connections. */
export type HttpAgents = {
	/** Reuses its connections. */
	readonly reused: Dispatcher;
	/**
	 * Opens a new connection for each request. A post on a connection that the service is just closing can't
	 * be told from an accepted one.
	 */
	readonly fresh: Dispatcher;
};

/** Throws `ValidationError` if the environment turns certificate checks off or names an invalid proxy. */
export function createHttpAgents(origin: URL, socket?: ServiceSocket): HttpAgents {
	if (socket) return agentsOf({connect: connectTo(socket)});
	// http is for loopback only, which no proxy can reach.
	if (origin.protocol === 'http:') return agentsOf({connect: {timeout: connectTimeout}, allowH2: false});
	refuseUncheckedTls();
	// Loaded lazily: it takes longer than a request to a local service.
	const {createSecureContext, getCACertificates} = process.getBuiltinModule('node:tls');
	// One context for all connections: reading some hundred certificates takes longer than a handshake.
	const secureContext = createSecureContext({
		ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])],
	});
	const secure = {
		connectTimeout,
		connect: {timeout: connectTimeout, secureContext},
		requestTls: {secureContext},
		proxyTls: {secureContext},
		allowH2: false,
	};
	if (isLoopback(origin.hostname)) return agentsOf(secure);
	try {
		return agentsOf(secure, EnvHttpProxyAgent);
	} catch {
		// The value may contain a password: show neither it nor the error's message.
		throw new ValidationError('https_proxy', 'is not a proxy address', {
			hint: 'Correct or unset HTTPS_PROXY and HTTP_PROXY.',
		});
	}
}

function agentsOf(
	options: EnvHttpProxyAgent.Options,
	Connections: typeof Agent | typeof EnvHttpProxyAgent = Agent,
): HttpAgents {
	return {reused: new Connections(options), fresh: new Connections({...options, pipelining: 0})};
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
