/**
 * Why a text is not a valid service address, worded to follow the address's name; undefined if it is valid.
 * Requires https (or http on loopback), no user, password, query or fragment, and no path that servers could
 * interpret differently.
 */
export function addressProblem(text: string): string | undefined {
	const url = URL.parse(text);
	if (!/^https?:\/\//i.test(text)) return 'is not an http address';
	if (!url) return hasWrongPort(text) ? 'has a port that is no number up to 65535' : 'is not an http address';
	if (url.username || url.password) return 'holds a user or password';
	if (url.search || url.hash || /[?#]/.test(text)) return 'holds a query or fragment';
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'is http to another machine';
	if (isAmbiguous(text)) return 'holds an ambiguous path';
	if (/\/api(\/|$)/i.test(url.pathname.replace(/\/$/, '')))
		return 'holds the /api part of the path, which is added by itself';
	return undefined;
}

/** Whether a text that isn't an address would be one without its port. */
function hasWrongPort(text: string): boolean {
	const withoutPort = text.replace(/^(https?:\/\/[^/?#@]*):[^/?#@:\]]*/i, '$1');
	return withoutPort !== text && URL.canParse(withoutPort);
}

/** An address as typed, with the scheme that it lacks: http on this machine, https elsewhere. */
export function withScheme(text: string): string {
	const typed = text.trim();
	if (typed === '' || typed.includes('://')) return typed;
	return isLoopback(URL.parse(`http://${typed}`)?.hostname ?? '') ? `http://${typed}` : `https://${typed}`;
}

/** `localhost`, 127.0.0.0/8 or [::1], as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Finds dot segments, empty segments, backslashes, control characters, and their escaped forms. */
function isAmbiguous(text: string): boolean {
	const path = text.replace(/^https?:\/\/[^/\\]*/i, '');
	return /\/\/|[\\\u0000-\u0020\u007f]|%(2e|2f|5c|25|0|1|7f)|\/\.{1,2}(\/|$)/i.test(path);
}
