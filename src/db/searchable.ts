import {type Message, reasoningOf} from '../domain/message.ts';

/** Characters of one message that the search index takes in: a huge tool output must not stall a write. */
const indexed = 64 * 1024;
const snippetBefore = 40;
const snippetLength = 160;

/** Scripts written without spaces between words: each character is a word of the index, and a word is a phrase of them. */
const unspaced =
	/[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/gu;
/** Nothing below this code point is of those scripts: most text needs no second look. */
const mayBeUnspaced = /[\u1100-\u{10ffff}]/u;
const isWord = /[\p{L}\p{N}]/u;

/** The text of a message as a reader sees it, folded parts too, parts joined by newlines. */
export function searchText(message: Message): string {
	const content = Array.isArray(message.content) ? message.content.flatMap(textsOf) : [];
	const parts: string[] = [];
	let length = 0;
	// Reasoning comes last: however long it is, the message itself is indexed.
	for (const text of [...content, ...reasoningOf(message)]) {
		if (length >= indexed) break;
		parts.push(text.slice(0, indexed - length));
		length += text.length + 1;
	}
	return parts.join('\n');
}

/** The words of one part: its text, its reasoning, or what a tool was asked and has answered. */
function textsOf(item: unknown): string[] {
	if (typeof item !== 'object' || item === null) return [];
	const {text, thinking, reasoning, content, output, input} = item as Record<string, unknown>;
	const asked = typeof input === 'object' && input !== null ? Object.values(input) : [input];
	const answered = [content, output].flatMap(part =>
		Array.isArray(part) ? part.map(inner => (inner as {text?: unknown} | null)?.text) : [part],
	);
	return [text, thinking, reasoning, ...asked, ...answered].filter(part => typeof part === 'string');
}

/**
 * Text as the index takes it. unicode61 with spaced characters was chosen over trigrams by test: trigrams need three
 * characters, so that most Chinese words can't be found, and make a streaming message several times dearer to keep.
 */
export function indexText(text: string): string {
	return mayBeUnspaced.test(text) ? text.replace(unspaced, ' $& ') : text;
}

/** The words as an FTS5 query: each must occur, as the beginning of a word. Absent when there is nothing to look for. */
export function matchQuery(words: string): string | undefined {
	const terms = termsOf(words);
	if (terms.length === 0) return undefined;
	return terms.map(term => `"${indexText(term).replaceAll('"', '""').trim()}"*`).join(' AND ');
}

/** The part of the text around the first word that was found, on one line, cut between words where it can be. */
export function snippetOf(text: string, words: string): string {
	const pattern = termsOf(words).map(beginning).join('|');
	const found = pattern ? text.search(new RegExp(pattern, 'iu')) : -1;
	const from = Math.max(0, found - snippetBefore);
	const gap = from === 0 ? -1 : text.slice(from, found).search(/\s/);
	const start = gap < 0 ? from : from + gap;
	const end = start + snippetLength;
	const cut = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
	return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

/** Matches a term where a word begins with it, as the index does. */
function beginning(term: string): string {
	const literal = term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return term.search(unspaced) === 0 ? literal : `(?<![\\p{L}\\p{N}])${literal}`;
}

function termsOf(words: string): string[] {
	return words
		.replaceAll('\0', ' ')
		.split(/\s+/)
		.filter(term => isWord.test(term));
}
