import {type Message, reasoningOf} from '../../domain/messages/message.ts';
import {
	bestPlace,
	placeOf,
	type SearchPlace,
	searchPattern,
	searchTerms,
	spacedOut,
} from '../../domain/messages/search-words.ts';

/** Indexed UTF-16 units per message: a huge tool output must not stall a write. */
const maxIndexed = 64 * 1024;
/** Of these, characters at the end of a longer message: users search for an answer's conclusion. */
const indexedEnd = 16 * 1024;
/** Marks the part left out between them. Not a word, so no search finds it. */
const gap = '\n…\n';
/** Characters next to a cut in which to look for the border of a word. */
const wordReach = 100;
/** A tool's input that is nested more deeply isn't searched. */
const maxDepth = 8;
const snippetBefore = 40;
const snippetLength = 160;

/** Scripts without spaces start at this code point: most text needs no second check. */
const mayBeUnspaced = /[\u1100-\u{10ffff}]/u;

/**
 * A message's text as the reader sees it, including collapsed parts, joined by newlines; of a long one, the beginning
 * and the end.
 */
export function searchText(message: Message): string {
	// Reasoning comes last, so that however long it is, the message itself is indexed.
	const texts = [beginningAndEnd(contentText(message)), ...reasoningOf(message)];
	return texts.join('\n').slice(0, maxIndexed).toWellFormed();
}

/** The same, whole. */
export function wholeText(message: Message): string {
	return [contentText(message), ...reasoningOf(message)].join('\n').toWellFormed();
}

function contentText({content}: Message): string {
	return Array.isArray(content) ? content.flatMap(textsOf).join('\n') : '';
}

/** At most `maxIndexed` characters of a text, cut between words where possible. */
function beginningAndEnd(text: string): string {
	if (text.length <= maxIndexed) return text;
	const start = text.slice(0, maxIndexed - indexedEnd - gap.length);
	const end = text.slice(-indexedEnd);
	const lastSpace = start.slice(-wordReach).search(/\s\S*$/);
	const firstSpace = end.slice(0, wordReach).search(/\s/);
	return `${lastSpace < 0 ? start : start.slice(0, lastSpace - wordReach)}${gap}${end.slice(firstSpace + 1)}`;
}

/** Texts of one content item: its name, its text, its reasoning, or a tool's input and output. */
function textsOf(item: unknown): string[] {
	if (typeof item !== 'object' || item === null) return [];
	const {name, text, thinking, reasoning, content, output, input, arguments: calledWith} = Object(item);
	const outputs = [content, output].flatMap(part =>
		Array.isArray(part) ? part.map(inner => (typeof inner === 'string' ? inner : inner?.text)) : [part],
	);
	const inputs = [input, calledWith].flatMap(part => valuesIn(part));
	return [name, text, thinking, reasoning, ...inputs, ...outputs].filter(part => typeof part === 'string');
}

/** The texts and numbers in a tool's input, such as those of a list of edits or steps. */
function valuesIn(value: unknown, depth = 0): readonly unknown[] {
	if (typeof value === 'number') return [String(value)];
	if (typeof value !== 'object' || value === null) return [value];
	return depth > maxDepth ? [] : Object.values(value).flatMap(inner => valuesIn(inner, depth + 1));
}

/**
 * Prepares text for the index. In tests, unicode61 with spaced characters beat trigrams, which need three
 * characters (so most Chinese words can't be found) and make a streaming message several times more expensive
 * to store.
 */
export function indexText(text: string): string {
	return mayBeUnspaced.test(text) ? spacedOut(text) : text;
}

/**
 * The words as an FTS5 query: the words of each term must occur in sequence, the last one as a prefix of some word
 * unless the term is exact. Undefined when there are none.
 */
export function matchQuery(words: string): string | undefined {
	const terms = searchTerms(words.replaceAll('\0', ' '));
	if (terms.length === 0) return undefined;
	const phrases = terms.map(({text, isExact}) => {
		const phrase = `"${indexText(text).replaceAll('"', '""').trim()}"`;
		return isExact ? phrase : `${phrase}*`;
	});
	return phrases.join(' AND ');
}

/** The text around the best place, on one line, cut between words where possible. */
export function snippetOf(text: string, words: string): string {
	const found = foundIn(text, words);
	const from = Math.max(0, found - snippetBefore);
	const gap = from === 0 ? -1 : text.slice(from, found).search(/\s/);
	const start = gap < 0 ? from : from + gap;
	const end = start + snippetLength;
	const cut = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
	return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

/** Where the words are found best, -1 if nowhere. */
function foundIn(text: string, words: string): number {
	const pattern = searchPattern(words);
	if (!pattern) return -1;
	const places: SearchPlace[] = [];
	for (const match of text.matchAll(pattern)) {
		const place = placeOf(match, match.index);
		// No place can be better.
		if (place.isPhrase || match.length === 1) return match.index;
		places.push(place);
	}
	return places[bestPlace(places, snippetLength - snippetBefore).index]?.position ?? -1;
}
