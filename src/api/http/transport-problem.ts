import {ownEntry} from '../../domain/objects.ts';
import {ownProgram} from '../../domain/own-program.ts';
import type {Mask} from './mask.ts';

/** Why there was no response, in one line, and what to do next. */
type TransportProblem = {readonly what: string; readonly hint: string};

const tryLater = 'Check the network and try again.';

const problems: Readonly<Record<string, TransportProblem>> = {
	ECONNREFUSED: {
		what: 'the connection was refused',
		hint: 'Check the address and port, and that the service is running.',
	},
	ENOENT: {what: 'its socket is gone', hint: tryLater},
	UNTRUSTED_SOCKET: {
		what: 'its socket is gone, or other users can access it',
		hint: `Run ${ownProgram} doctor.`,
	},
	ENOTFOUND: {what: 'there is no such host', hint: 'Check the address, or the network and its DNS.'},
	EAI_AGAIN: {what: 'the host name could not be looked up', hint: 'Check the network and its DNS.'},
	ENETUNREACH: {what: 'the network is unreachable', hint: tryLater},
	EHOSTUNREACH: {what: 'the host is unreachable', hint: tryLater},
	ECONNRESET: {what: 'the connection was reset', hint: tryLater},
	EPIPE: {what: 'the connection was closed', hint: tryLater},
	UND_ERR_SOCKET: {what: 'the connection was closed', hint: tryLater},
	UND_ERR_CONNECT_TIMEOUT: {what: 'no connection within 5 s', hint: tryLater},
	UND_ERR_PRX_CONN: {what: 'the proxy closed the connection', hint: 'Check the proxy settings.'},
	UND_ERR_PRX_TLS: {what: "the proxy's certificate is not trusted", hint: 'Check the proxy settings.'},
	UND_ERR_HEADERS_OVERFLOW: {what: 'the response headers were too long', hint: 'Check the address.'},
};

export function describeTransport(error: unknown): TransportProblem {
	const code = codeOf(error);
	const known = ownEntry(problems, code);
	if (known) return known;
	if (code === 'UND_ERR_ABORTED') return proxyRefusal(error);
	if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER|UNABLE_TO_(VERIFY|GET)/.test(code)) {
		return {
			what: `a secure connection could not be made (${code})`,
			hint: 'Check the address; to trust your own certificate authority set NODE_EXTRA_CA_CERTS.',
		};
	}
	if (/^HPE_/.test(code)) return {what: 'the response is not HTTP', hint: 'Check the address.'};
	return {what: code === '' ? 'the connection failed' : `the connection failed (${code})`, hint: tryLater};
}

/** What a proxy answered instead of opening a tunnel: undici has it only in its message. */
function proxyRefusal(error: unknown): TransportProblem {
	const [, status] = /Proxy response \((\d{3})\)/.exec(String(error)) ?? [];
	if (status === '407')
		return {
			what: 'the proxy refused the login (407)',
			hint: 'Set the user and password in its address: http://user:password@proxy.example:8080',
		};
	const told = status === undefined ? '' : ` (${status})`;
	return {what: `the proxy refused the connection${told}`, hint: 'Check the proxy settings.'};
}

/** Whether an error is a mistake in our code, and not the network's. */
export function isBug(error: unknown): boolean {
	return (
		[TypeError, RangeError, ReferenceError, SyntaxError].some(kind => error instanceof kind) ||
		codeOf(error) === 'UND_ERR_INVALID_ARG'
	);
}

const maxCauses = 5;

/**
 * Copies a transport error to keep as a cause: its name, code, masked message, stack and causes. The original may contain
 * bytes of the response, which may repeat the key.
 */
export function cleanCause(error: unknown, mask: Mask, depth = 1): Error {
	const original = error instanceof Error ? error : new Error('not an error');
	const hasCause = original.cause instanceof Error && depth < maxCauses;
	const copy = new Error(
		mask(original.message).slice(0, 500),
		hasCause ? {cause: cleanCause(original.cause, mask, depth + 1)} : undefined,
	);
	const code = codeOf(error);
	const stack = mask(original.stack ?? '');
	return Object.assign(copy, {name: original.name, stack, ...(code !== '' && {code})});
}

function codeOf(error: unknown): string {
	const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : '';
}
