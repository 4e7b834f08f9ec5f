import {cleanLine} from './clean.ts';
import type {Line, Span} from './line.ts';
import {lineText} from './line.ts';
import {stillSafe} from './safe.ts';

const isWord = /[\p{L}\p{N}]/u;
/** Scripts written without spaces: a word of theirs may begin anywhere (see the search index). */
const unspaced =
	/^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/u;

/** Matches what the search index finds by these words: each by its beginning, in any case. Absent: nothing to find. */
export function foundPattern(words: string): RegExp | undefined {
	// As it is drawn.
	const terms = cleanLine(words)
		.split(/\s+/)
		.filter(term => isWord.test(term));
	if (terms.length === 0) return undefined;
	const parts = terms.map(term => {
		const literal = term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
		return unspaced.test(term) ? literal : `(?<![\\p{L}\\p{N}])${literal}`;
	});
	return new RegExp(`(?:${parts.join('|')})\\p{M}*`, 'giu');
}

/** How often the line holds what is looked for, its first `from` characters not counted. */
export function countFound(line: Line, pattern: RegExp, from: number): number {
	return line.length === 0 ? 0 : rangesIn(line, pattern, from).length;
}

type FoundLook = Omit<Span, 'text'>;

/**
 * The line with what was found behind its first `from` characters lit up; one of them, the `nth` from 0, in a look of its
 * own. Its words and its width stay.
 */
export function markFound(
	line: Line,
	pattern: RegExp,
	look: FoundLook,
	{from = 0, nth, nthLook = look}: {from?: number; nth?: number | undefined; nthLook?: FoundLook} = {},
): Line {
	const ranges = rangesIn(line, pattern, from);
	if (ranges.length === 0) return line;
	const marked: Span[] = [];
	let start = 0;
	for (const part of line) {
		const end = start + part.text.length;
		let at = start;
		for (const [index, [first, last]] of ranges.entries()) {
			if (last <= at || first >= end) continue;
			if (first > at) marked.push({...part, text: stillSafe(part.text.slice(at - start, first - start))});
			const lit = part.text.slice(Math.max(first, at) - start, Math.min(last, end) - start);
			marked.push({...part, ...(index === nth ? nthLook : look), text: stillSafe(lit)});
			at = Math.min(last, end);
		}
		if (at < end) marked.push({...part, text: stillSafe(part.text.slice(at - start))});
		start = end;
	}
	return marked;
}

function rangesIn(line: Line, pattern: RegExp, from: number): (readonly [number, number])[] {
	return [...lineText(line).matchAll(pattern)]
		.filter(({index}) => index >= from)
		.map(({index, 0: {length}}) => [index, index + length] as const);
}
