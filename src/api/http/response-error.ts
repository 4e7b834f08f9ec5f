import {unreachableProblem} from '../../domain/computers/computer.ts';
import type {Call} from '../client.ts';
import {
	ComputerUnreachableError,
	type ErrorDetails,
	ForbiddenError,
	NotFoundError,
	RateLimitedError,
	RedirectError,
	RejectedError,
	ServerError,
	type ServiceError,
	UnauthorizedError,
} from '../errors.ts';
import {askedWait} from '../rate-limit.ts';
import {type HttpResponse, maxErrorContent} from './http.ts';
import type {Mask} from './mask.ts';
import type {Timing} from './timing.ts';

type RespondingHost = {
	readonly address: string;
	/** The embedded service: its refusals are ours, and no log elsewhere has its request ids. */
	readonly isEmbedded?: boolean;
	/** What to do when it rejects the key. */
	readonly keyAdvice?: string;
	readonly mask: Mask;
	readonly timing: Timing;
};

/** Converts an unsuccessful response to an error with the service's message and request id, masked and on one line. */
export function errorOfResponse(
	{status, headers}: HttpResponse,
	content: Buffer | undefined,
	call: Call<unknown>,
	{address, isEmbedded, keyAdvice = 'Set a valid API key and try again.', mask, timing}: RespondingHost,
): ServiceError {
	const {message, ...body} = readErrorBody(
		new TextDecoder().decode(content?.subarray(0, maxErrorContent)),
		mask,
	);
	const requestId = body.requestId ?? idOf(headers['x-request-id'], mask);
	const wait = askedWait({status, headers}, timing);
	const own = (message ?? '').replace(statusPhrase, '').replace(/[.\s]+$/, '');
	const quote = own === '' ? '' : `: ${own}`;
	const request = requestId === undefined || isEmbedded ? '' : ` (request ${requestId})`;
	const sentence = (what: string) => `${what} (${status})${quote}${request}.`;
	const details = (hint: string): ErrorDetails => ({
		hint,
		status,
		requestId,
	});
	if (wait !== undefined) {
		return new RateLimitedError(sentence('The service is rate-limiting requests'), {
			...details(`Try again in ${seconds(wait)}.`),
			retryAfter: wait,
		});
	}
	if (status === 503 && body.type === unreachableProblem)
		return new ComputerUnreachableError(`${own}.`, details(''));
	if (status >= 500 || status === 408) {
		return new ServerError(sentence('The service failed'), details('Try again later.'));
	}
	if (status === 401) {
		return new UnauthorizedError(sentence('The service refused the key'), details(keyAdvice));
	}
	if (status === 402)
		return new ForbiddenError(
			sentence('The service asks for payment'),
			details("Check the organization's plan and credits."),
		);
	if (status === 403) {
		// The contract names roles for analytics only.
		const isOfRole = call.resource.startsWith('analytics.') || /\b(?:managers?|owners?|roles?)\b/i.test(own);
		return new ForbiddenError(
			sentence('The key is not allowed to do this'),
			details(
				isOfRole ? 'Ask a manager or owner.' : 'Use a key that is, or ask whoever manages the service.',
			),
		);
	}
	if (status === 404 || status === 410) {
		const [what, hint] = call.isAddressCheck
			? [`${address} answers, but not as the service`, "Check the service's address."]
			: namesId.test(call.path) ||
					call.query?.sessionId !== undefined ||
					(call.resource === 'sessions.create' && own !== '')
				? ['Not found', `Check the id, and that the service is at ${address}.`]
				: ["This service doesn't offer this", `If it should, check its address: ${address}.`];
		return new NotFoundError(sentence(what), details(hint));
	}
	if (status < 400) {
		return new RedirectError(
			sentence('The service redirects to another address; redirects are never followed'),
			details("Set the base address to the service's own address."),
		);
	}
	if (isEmbedded && own !== '') return new RejectedError(`${own}.`, details(''));
	return new RejectedError(sentence('The service refused the request'), details('Fix it and try again.'));
}

/** A call about one computer or session, which the service may not have. */
const namesId = /\/(?:computers|sessions)\/[^/]/;

/** A status phrase that is or begins the service's message: ours says the same. */
const statusPhrase =
	/^(?:bad request|unreachable|unauthori[sz]ed|forbidden|not found|conflict|unprocessable (?:entity|content)|internal server error)(?:: |[.\s]*$)/i;

function seconds(ms: number): string {
	return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

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
function idOf(value: unknown, mask: Mask): string | undefined {
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
