import type {Mask} from './mask.ts';

/** The message of an error response, on one line, the service's request id, and the kind of problem. */
type ErrorText = {readonly message?: string; readonly requestId?: string; readonly type?: unknown};

const maxLength = 300;

/**
 * Parses an error body of any shape: a problem object (`title`, `detail`, `errors[]`), `{error}`,
 * `{message}`, `{errors[]}`, plain text, HTML or nothing. The contract specifies the shape for analytics
 * only. The result is masked. Never throws.
 */
export function readErrorBody(text: string, mask: Mask): ErrorText {
	const trimmed = text.trim();
	if (trimmed === '') return {};
	if (trimmed.startsWith('<')) return withMessage(messageInHtml(trimmed), mask);
	let value: unknown;
	try {
		value = JSON.parse(trimmed);
	} catch {
		return withMessage(trimmed, mask);
	}
	const requestId = isRecord(value) ? idOf(value.requestId ?? value.request_id, mask) : undefined;
	return {
		...withMessage(messageIn(value, 0), mask),
		requestId,
		type: isRecord(value) ? value.type : undefined,
	};
}

/** Returns a masked request id, or undefined unless it is 1 to 128 visible ASCII characters. */
export function idOf(value: unknown, mask: Mask): string | undefined {
	return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value) ? mask(value) : undefined;
}

function withMessage(text: string | undefined, mask: Mask): ErrorText {
	// Mask before truncating: a truncated key would no longer match.
	const message = text === undefined ? '' : oneLine(mask(text));
	return message === '' ? {} : {message};
}

/** Collapses control, invisible and unpaired characters and whitespace to single spaces, and truncates the text. */
function oneLine(text: string): string {
	const line = text
		.slice(0, maxLength * 4)
		.replace(/[\s\p{C}]+/gu, ' ')
		.trim();
	return line.length > maxLength ? `${line.slice(0, maxLength - 3).trimEnd()}...` : line;
}

function messageIn(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth > 3) return undefined;
	if (Array.isArray(value)) {
		const parts = value.slice(0, 5).flatMap(item => messageIn(item, depth + 1) ?? []);
		return parts.length > 0 ? parts.join('; ') : undefined;
	}
	if (!isRecord(value)) return undefined;
	const main =
		joined(messageIn(value.title, depth + 1), messageIn(value.detail, depth + 1)) ??
		messageIn(value.message, depth + 1) ??
		messageIn(value.msg, depth + 1) ??
		messageIn(value.error_description, depth + 1) ??
		messageIn(value.error, depth + 1) ??
		messageIn(value.code, depth + 1);
	const field = fieldOf(value);
	const named = main !== undefined && field !== undefined ? `${field}: ${main}` : main;
	return joined(named, messageIn(value.errors, depth + 1));
}

/** The field an item of `errors[]` is about. */
function fieldOf(value: Record<string, unknown>): string | undefined {
	for (const key of ['field', 'path', 'loc', 'param', 'pointer']) {
		const field = value[key];
		if (typeof field === 'string' && field !== '') return field;
		if (Array.isArray(field) && field.length > 0) {
			return field.filter(part => typeof part === 'string' || typeof part === 'number').join('.');
		}
	}
	return undefined;
}

function joined(first: string | undefined, second: string | undefined): string | undefined {
	if (first === undefined || second === undefined || first.endsWith(second)) return first ?? second;
	return `${first}: ${second}`;
}

function messageInHtml(html: string): string | undefined {
	// Enough for a title or a heading; the rest of a page says nothing about the call.
	const head = html.slice(0, 16_384);
	const heading = /<(title|h1)\b[^>]*>([^<]{1,300})/i.exec(head)?.[2]?.trim();
	return heading ? `a web page, "${heading}"` : 'a web page';
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
