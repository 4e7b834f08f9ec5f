import {ConfigError} from './config-error.ts';

/**
 * Checks an address of the service and gives it without a trailing slash. https, or http on loopback; no user,
 * password, query or fragment; no path that a server could read in two ways. `from` names the setting in errors.
 */
export function parseAddress(text: string, from: string): string {
	const refuse = (why: string) =>
		new ConfigError(`${from} ${why}: use an address such as https://host.example`);
	const url = URL.parse(text);
	if (!url || !/^https?:\/\//i.test(text)) throw refuse('is not an http address');
	if (url.username || url.password) throw refuse('holds a user or password');
	if (url.search || url.hash || /[?#]/.test(text)) throw refuse('holds a query or fragment');
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw refuse('is http to another machine');
	if (isAmbiguous(text)) throw refuse('holds an ambiguous path');
	const path = url.pathname.replace(/\/$/, '');
	if (/\/api(\/|$)/i.test(path)) throw refuse('holds the /api part of the path, which is added by itself');
	return url.origin + path;
}

/** `localhost`, 127.0.0.0/8 or [::1], as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Dot segments, empty segments, backslashes, controls, and their escaped forms. */
function isAmbiguous(text: string): boolean {
	const path = text.replace(/^https?:\/\/[^/\\]*/i, '');
	return /\/\/|[\\\u0000-\u0020\u007f]|%(2e|2f|5c|25|0|1|7f)|\/\.{1,2}(\/|$)/i.test(path);
}
