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
/** Words that, after `token`, mean a count of tokens, as in `tokenUsage`. */
const quantities = new Set(['budget', 'count', 'counts', 'limit', 'limits', 'usage']);
/** `key` alone is an ordinary word; after one of these it names a credential. */
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

/**
 * Whether a field of this name, in any notation, holds a secret. Extra headers count as secret, since any of
 * them may authorize.
 */
export function isSecretName(name: string): boolean {
	const words = wordsOf(name);
	return words.some((word, index) => {
		if (/^tokens?$/.test(word) && quantities.has(words[index + 1] ?? '')) return false;
		if (secretWords.has(word)) return true;
		const before = words[index - 1] ?? '';
		if (/^keys?$/.test(word)) return keyOwners.has(before);
		if (word === 'headers') return before === 'extra';
		// A relay URL grants access to whoever knows it.
		return /^ur[il]s?$/.test(word) && words.includes('relay');
	});
}

/** Copies a value with every secret replaced by `***`, safe to display, export or log. */
export function maskSecrets<Value>(value: Value, name = ''): Value {
	if (name !== '' || !isTree(value)) return maskIn(value, name) as Value;
	const entries = Object.entries(value).map(([key, part]) => [
		maskKey(key),
		fieldsKeyedById.has(key) && isTree(part) ? maskTree(part, () => '') : maskIn(part, key),
	]);
	return Object.fromEntries(entries) as Value;
}

/** Readiness report fields whose keys are ids: a criterion may legitimately be named `secret_scanning`. */
const fieldsKeyedById = new Set(['apps', 'report']);

function maskIn(value: unknown, name: string): unknown {
	if (isSecretField(name)) return maskWhole(value);
	if (typeof value === 'string') return maskText(value);
	if (Array.isArray(value)) return maskList(value);
	return isTree(value) ? maskTree(value, key => key) : value;
}

function maskTree(tree: object, nameOf: (key: string) => string): object {
	return Object.fromEntries(
		Object.entries(tree).map(([key, part]) => [maskKey(key), maskIn(part, nameOf(key))]),
	);
}

export function isTree(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Large data sets repeat a few field names, so cache the result per name, up to a limit.
const maxNames = 1024;
const isSecretField = memoized(isSecretName);
const maskKey = memoized(maskText);

function memoized<Answer>(find: (name: string) => Answer): (name: string) => Answer {
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

/** Masks all text under a secret name. Keys, numbers and booleans are not secret and stay. */
function maskWhole(value: unknown): unknown {
	if (typeof value === 'string') return value === '' ? value : masked;
	if (Array.isArray(value)) return value.map(maskWhole);
	if (!isTree(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskWhole(part)]));
}

/** Masks a list. It may be a command line, where the argument after a secret-named flag is a secret. */
function maskList(list: readonly unknown[]): unknown[] {
	return list.map((item, index) => {
		const before = list[index - 1];
		const isFlagged = typeof before === 'string' && /^--?[\w-]+$/.test(before) && isSecretName(before);
		if (isFlagged && typeof item === 'string' && !item.startsWith('-')) return masked;
		return maskIn(item, '');
	});
}

/**
 * Patterns that identify secrets in text whose field name gives no hint. All are bounded because input is
 * untrusted.
 */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
	// User and password in a URL.
	[/(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@]{1,1024}@/gi, `$1${masked}@`],
	// A relay URL grants access to whoever knows it, and only its host isn't part of that.
	[/(\bwss?:\/\/[^\s/?#"'`<>\\]{1,1024}[/?#])[^\s"'`<>\\]+/gi, `$1${masked}`],
	[/\b(Bearer|Basic)\s+[\w+/.~=-]{6,}/gi, `$1 ${masked}`],
	// Keys with a vendor prefix. The short ones begin other names, too, such as `fk_orders_customer_id`.
	[
		/\b(?:sk|pk|rk|fk)[-_](?=[\w-]{0,200}\d)[\w-]{8,}|\bgh[opusr]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}/g,
		masked,
	],
	[/\bxox[a-z]-[\w-]{8,}|\bAKIA[A-Z\d]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,512}\.[\w-]+\.[\w-]*/g, masked],
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, masked],
];
const assignment = /(?<![\w-])([\w-]{2,128})(["']?)(?:\s*(?:=|:(?!\/\/))\s*|\s+(?=[^\s-]))(["']?)/g;
const maxValueLength = 4096;

/**
 * Masks secrets recognizable by their notation: in URLs, headers and command lines. For JSON text, masks the
 * values so that the result remains valid JSON.
 */
export function maskText(text: string): string {
	return (
		maskJson(text) ??
		maskNamed(secretPatterns.reduce((all, [pattern, replacement]) => all.replace(pattern, replacement), text))
	);
}

function maskJson(text: string): string | undefined {
	if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		const shown = JSON.stringify(maskSecrets(value));
		// If nothing was masked, keep the original formatting.
		return shown === JSON.stringify(value) ? text : shown;
	} catch {
		return undefined;
	}
}

/**
 * Masks values assigned to a secret name (`token=...`, `"apiKey": "..."`, `--token ...`), up to the closing
 * quote, next whitespace or `&`.
 */
function maskNamed(text: string): string {
	let shown = '';
	let from = 0;
	for (const match of text.matchAll(assignment)) {
		const [whole, name = '', nameQuote, quote = ''] = match;
		const isFlagged = /^--?\w/.test(name) || /[=:]/.test(whole);
		if (match.index < from || !isFlagged || !isSecretName(name)) continue;
		const start = match.index + whole.length;
		const value = valueAt(text.slice(start, start + maxValueLength), quote, nameQuote !== '');
		// An auth scheme is not a secret; the credential after it is already masked.
		if (value === undefined || /^(?:Bearer|Basic)$/i.test(value) || isQuantity(name, value)) continue;
		if (nameQuote !== '' && quote === '' && jsonScalar.test(value)) continue;
		shown += text.slice(from, start) + masked;
		from = start + value.length;
	}
	return shown + text.slice(from);
}

/** A value of JSON text that is no string, and so no secret. */
const jsonScalar = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

function valueAt(rest: string, quote: string, isInJson: boolean): string | undefined {
	if (quote === '"') return /^(?:\\.|[^"\\])+/s.exec(rest)?.[0];
	if (quote === "'") return /^(?:\\.|[^'\\])+/s.exec(rest)?.[0];
	const value = /^[^\s"'&;,]+/.exec(rest)?.[0];
	return isInJson ? value?.replace(/[\]}].*$/s, '').replace(/^[[{].*$/s, '') || undefined : value;
}

/** Whether the value is a token count, which is not a secret. */
function isQuantity(name: string, value: string): boolean {
	return wordsOf(name).at(-1) === 'tokens' && /^\d+(?:\.\d+)?[\])}.]*$/.test(value);
}

const maxNameLength = 256;

/**
 * Splits a name into words regardless of notation: `extraHTTPHeaders`, `extra-headers` and `EXTRA_HEADERS`
 * are handled alike.
 */
function wordsOf(name: string): string[] {
	return name
		.slice(0, maxNameLength)
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter(word => word !== '');
}
