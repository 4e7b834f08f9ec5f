/** What stands in for a secret. */
export const masked = '***';

const secretWords = new Set([
	'apikey',
	'auth',
	'authorization',
	'bearer',
	'cookie',
	'credential',
	'credentials',
	'jwt',
	'passphrase',
	'passwd',
	'password',
	'passwords',
	'pat',
	'pwd',
	'secret',
	'secrets',
	'signature',
	'token',
	'tokens',
]);
/** What follows `token` where tokens are counted, as in `tokenUsage`. */
const quantities = new Set(['budget', 'count', 'counts', 'limit', 'limits', 'usage']);
/** `key` alone is an ordinary word; after one of these it opens something. */
const keyOwners = new Set([
	...['access', 'account', 'admin', 'api', 'app', 'auth', 'bearer', 'client', 'deploy', 'encryption', 'host'],
	...[
		'license',
		'licence',
		'master',
		'private',
		'secret',
		'service',
		'shared',
		'signing',
		'ssh',
		'subscription',
	],
]);

/** Is a field of this name, in any notation, one that holds a secret? Headers are: each of them may authorise. */
export function isSecretName(name: string): boolean {
	const words = wordsOf(name);
	return words.some((word, index) => {
		if (/^tokens?$/.test(word) && quantities.has(words[index + 1] ?? '')) return false;
		if (secretWords.has(word)) return true;
		const before = words[index - 1] ?? '';
		if (/^keys?$/.test(word)) return keyOwners.has(before);
		if (word === 'headers') return before === 'extra';
		// An address of a relay lets whoever knows it in.
		return /^ur[il]s?$/.test(word) && words.includes('relay');
	});
}

/** Copies a value, replacing every secret in it by `***`, so that it can be shown, exported or logged. */
export function maskSecrets<Value>(value: Value, name = ''): Value {
	if (name !== '' || !isTree(value)) return maskIn(value, name) as Value;
	const entries = Object.entries(value).map(([key, part]) => [
		maskKey(key),
		byId.has(key) && isTree(part) ? maskTree(part, () => '') : maskIn(part, key),
	]);
	return Object.fromEntries(entries) as Value;
}

/** Of a readiness report: what is in them has ids for names, and a criterion may well be called `secret_scanning`. */
const byId = new Set(['apps', 'report']);

function maskIn(value: unknown, name: string): unknown {
	if (isSecretField(name)) return maskWhole(value, name);
	if (typeof value === 'string') return maskText(value);
	if (Array.isArray(value)) return maskList(value);
	return isTree(value) ? maskTree(value, key => key) : value;
}

function maskTree(tree: object, nameOf: (key: string) => string): object {
	return Object.fromEntries(
		Object.entries(tree).map(([key, part]) => [maskKey(key), maskIn(part, nameOf(key))]),
	);
}

function isTree(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// A million rows have the same few fields: what was found out of a name is kept, up to so many names.
const maxNames = 1024;
const isSecretField = remembered(isSecretName);
const maskKey = remembered(maskText);

function remembered<Answer>(find: (name: string) => Answer): (name: string) => Answer {
	const known = new Map<string, Answer>();
	return name => {
		if (name.length > maxNameLength) return find(name);
		const found = known.get(name);
		if (found !== undefined) return found;
		if (known.size >= maxNames) known.clear();
		const answer = find(name);
		known.set(name, answer);
		return answer;
	};
}

/** Everything under a secret name. Keys stay: which header is set is no secret, and neither is a switch or a number of tokens. */
function maskWhole(value: unknown, name: string): unknown {
	if (value === null || value === undefined || typeof value === 'boolean' || value === '') return value;
	if (typeof value === 'number') return wordsOf(name).at(-1) === 'tokens' ? value : masked;
	if (Array.isArray(value)) return value.map(item => maskWhole(item, name));
	if (typeof value !== 'object') return masked;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskWhole(part, name)]));
}

/** A list may be a command line: what follows a flag named like a secret is one. */
function maskList(list: readonly unknown[]): unknown[] {
	return list.map((item, index) => {
		const before = list[index - 1];
		const isFlagged = typeof before === 'string' && /^--?[\w-]+$/.test(before) && isSecretName(before);
		if (isFlagged && typeof item === 'string' && !item.startsWith('-')) return masked;
		return maskIn(item, '');
	});
}

/** Notations by which a secret is known inside a text whose own name says nothing. All are bounded: texts are hostile. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
	// The user and password of an address.
	[/(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]{1,1024}@/gi, `$1${masked}@`],
	[/\b(Bearer|Basic)\s+[\w+/.~=-]{6,}/gi, `$1 ${masked}`],
	// Keys that begin with the mark of who gave them.
	[/\b(?:sk|pk|rk|fk)[-_][\w-]{8,}|\bgh[opusr]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}/g, masked],
	[/\bxox[a-z]-[\w-]{8,}|\bAKIA[A-Z\d]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,512}\.[\w-]+\.[\w-]*/g, masked],
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, masked],
];
const naming = /(?<![\w-])([\w-]{2,128})(["']?)(?:\s*(?:=|:(?!\/\/))\s*|\s+(?=[^\s-]))(["']?)/g;
const maxValueLength = 4096;

/**
 * A text in which secrets that can be told by their notation are masked: in addresses, headers and command lines. Of a
 * text that is JSON the values are masked, so that it stays JSON.
 */
export function maskText(text: string): string {
	return (
		maskJson(text) ??
		maskNamed(secretPatterns.reduce((all, [pattern, instead]) => all.replace(pattern, instead), text))
	);
}

function maskJson(text: string): string | undefined {
	if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const shown = JSON.stringify(maskSecrets(value));
		// What hides nothing stays as it was written.
		return shown === JSON.stringify(value) ? text : shown;
	} catch {
		return undefined;
	}
}

/** `token=...`, `"apiKey": "..."`, `--token ...`: what a secret name is given to, up to its quote, the next blank or `&`. */
function maskNamed(text: string): string {
	let shown = '';
	let from = 0;
	for (const match of text.matchAll(naming)) {
		const [whole, name = '', nameQuote, quote = ''] = match;
		const isFlagged = /^--?\w/.test(name) || /[=:]/.test(whole);
		if (match.index < from || !isFlagged || !isSecretName(name)) continue;
		const start = match.index + whole.length;
		const value = valueAt(text.slice(start, start + maxValueLength), quote, nameQuote !== '');
		// The scheme of a header is none; what follows it was masked before.
		if (value === undefined || /^(?:Bearer|Basic)$/i.test(value) || isQuantity(name, value)) continue;
		shown += text.slice(from, start) + masked;
		from = start + value.length;
	}
	return shown + text.slice(from);
}

function valueAt(rest: string, quote: string, isInJson: boolean): string | undefined {
	if (quote === '"') return /^(?:\\.|[^"\\])+/s.exec(rest)?.[0];
	if (quote === "'") return /^(?:\\.|[^'\\])+/s.exec(rest)?.[0];
	const value = /^[^\s"'&;,]+/.exec(rest)?.[0];
	return isInJson ? value?.replace(/[\]}].*$/s, '').replace(/^[[{].*$/s, '') || undefined : value;
}

/** A number of tokens is no secret. */
function isQuantity(name: string, value: string): boolean {
	return wordsOf(name).at(-1) === 'tokens' && /^\d+(?:\.\d+)?[\])}.]*$/.test(value);
}

const maxNameLength = 256;

/** The words of a name in any notation: `extraHTTPHeaders`, `extra-headers` and `EXTRA_HEADERS` have the same. */
function wordsOf(name: string): string[] {
	return name
		.slice(0, maxNameLength)
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter(word => word !== '');
}
