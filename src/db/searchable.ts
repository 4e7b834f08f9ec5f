import {type Message, reasoningOf} from '../domain/messages/message.ts';

/** Indexed characters per message: a huge tool output must not stall a write. */
const maxIndexed = 64 * 1024;
const snippetBefore = 40;
const snippetLength = 160;

/**
 * Scripts without spaces between words: each character is indexed as a word, each word searched as a phrase.
 */
const unspaced =
	/[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/gu;
/** These scripts start at this code point: most text needs no second check. */
const mayBeUnspaced = /[\u1100-\u{10ffff}]/u;
const isWord = /[\p{L}\p{N}]/u;

/** A message's text as the reader sees it, including collapsed parts, joined by newlines. */
export function searchText(message: Message): string {
	const content = Array.isArray(message.content) ? message.content.flatMap(textsOf) : [];
	const parts: string[] = [];
	let length = 0;
	// Reasoning comes last, so that however long it is, the message itself is indexed.
	for (const text of [...content, ...reasoningOf(message)]) {
		if (length >= maxIndexed) break;
		parts.push(text.slice(0, maxIndexed - length));
		length += text.length + 1;
	}
	return parts.join('\n');
}

/** Texts of one content item: its text, its reasoning, or a tool's input and output. */
function textsOf(item: unknown): string[] {
	if (typeof item !== 'object' || item === null) return [];
	const {text, thinking, reasoning, content, output, input} = item as Record<string, unknown>;
	const inputs = typeof input === 'object' && input !== null ? Object.values(input) : [input];
	const outputs = [content, output].flatMap(part =>
		Array.isArray(part) ? part.map(inner => (inner as {text?: unknown} | null)?.text) : [part],
	);
	return [text, thinking, reasoning, ...inputs, ...outputs].filter(part => typeof part === 'string');
}

/**
 * Prepares text for the index. In tests, unicode61 with spaced characters beat trigrams, which need three
 * characters (so most Chinese words can't be found) and make a streaming message several times more expensive
 * to store.
 */
export function indexText(text: string): string {
	return mayBeUnspaced.test(text) ? text.replace(unspaced, ' $& ') : text;
}

/** The words as an FTS5 query: each must occur as a prefix of some word. Undefined when there are none. */
export function matchQuery(words: string): string | undefined {
	const terms = termsOf(words);
	if (terms.length === 0) return undefined;
	return terms.map(term => `"${indexText(term).replaceAll('"', '""').trim()}"*`).join(' AND ');
}

/** The text around the first match, on one line, cut between words where possible. */
export function snippetOf(text: string, words: string): string {
	const pattern = termsOf(words).map(prefixPattern).join('|');
	const found = pattern ? text.search(new RegExp(pattern, 'iu')) : -1;
	const from = Math.max(0, found - snippetBefore);
	const gap = from === 0 ? -1 : text.slice(from, found).search(/\s/);
	const start = gap < 0 ? from : from + gap;
	const end = start + snippetLength;
	const cut = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
	return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

/** Matches a term at the beginning of a word, as the index does. */
function prefixPattern(term: string): string {
	const literal = term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return term.search(unspaced) === 0 ? literal : `(?<![\\p{L}\\p{N}])${literal}`;
}

function termsOf(words: string): string[] {
	return words
		.replaceAll('\0', ' ')
		.split(/\s+/)
		.filter(term => isWord.test(term));
}
