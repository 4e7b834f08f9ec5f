import {addressProblem, isLoopback} from '../domain/accounts/account.ts';
import {ConfigError} from './config.ts';

/** A proxy and the environment variable that names it. */
export type Proxy = {readonly url: URL; readonly variable: string};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for a service's address; undefined if requests go straight to it. Nothing on
 * this machine is reached through a proxy, and so nothing over http. Throws `ConfigError`.
 */
export function proxyFor({protocol, hostname, port}: URL, env: Environment): Proxy | undefined {
	if (protocol === 'http:' || isLoopback(hostname) || isExcluded(hostname, port || '443', env))
		return undefined;
	for (const variable of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']) {
		const value = env[variable];
		if (value) return {url: proxyUrl(value, variable), variable};
	}
	return undefined;
}

/** The value may contain a password, so no error shows it. */
function proxyUrl(value: string, variable: string): URL {
	const url = URL.parse(value.includes('://') ? value : `http://${value}`);
	if (url && /^socks/.test(url.protocol))
		throw new ConfigError(
			`${variable} is a SOCKS proxy, which isn't supported: set HTTPS_PROXY to an http proxy`,
		);
	if (!url || !/^https?:$/.test(url.protocol) || !isDecodable(url.username + url.password))
		throw new ConfigError(
			`${variable} isn't the address of a proxy: use one such as http://proxy.example:8080`,
		);
	return url;
}

function isDecodable(text: string): boolean {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/** Whether NO_PROXY lists the host, a domain that it is in, or `*`; an entry's port must be the address's. */
function isExcluded(hostname: string, port: string, {no_proxy, NO_PROXY}: Environment): boolean {
	const host = bare(hostname);
	return (no_proxy ?? NO_PROXY ?? '').split(/[\s,]+/).some(entry => {
		const [, name = entry, onlyPort = port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
		const isOnlyInside = name.startsWith('*.');
		const excluded = bare(name.replace(/^\*?\./, ''));
		if (excluded === '' || onlyPort !== port) return false;
		return excluded === '*' || (host === excluded && !isOnlyInside) || host.endsWith(`.${excluded}`);
	});
}

/** A host name in lower case, without the brackets of IPv6 and a dot at its end. */
function bare(host: string): string {
	return host.toLowerCase().replace(/^\[(.*)\]$|\.$/g, '$1');
}

/** The proxy without its user and password, to show. */
export function shownProxy({url, variable}: Proxy): string {
	return `${url.origin} (${variable})`;
}

/**
 * Validates a service address and returns it without a trailing slash. `from` names the setting in errors.
 * Throws `ConfigError`.
 */
export function parseAddress(text: string, from: string): string {
	const problem = addressProblem(text);
	if (problem !== undefined)
		throw new ConfigError(`${from} ${problem}: use an address such as https://host.example`);
	const {origin, pathname} = new URL(text);
	return origin + pathname.replace(/\/$/, '');
}
