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

export function holdsFound(line: Line, pattern: RegExp): boolean {
	return line.length > 0 && lineText(line).search(pattern) >= 0;
}

/** The line with what was found lit up. Its words and its width stay. */
export function markFound(line: Line, pattern: RegExp, look: Omit<Span, 'text'>): Line {
	const ranges = [...lineText(line).matchAll(pattern)].map(
		({index, 0: {length}}) => [index, index + length] as const,
	);
	if (ranges.length === 0) return line;
	const marked: Span[] = [];
	let start = 0;
	for (const part of line) {
		const end = start + part.text.length;
		let at = start;
		for (const [from, to] of ranges) {
			if (to <= at || from >= end) continue;
			if (from > at) marked.push({...part, text: stillSafe(part.text.slice(at - start, from - start))});
			const lit = part.text.slice(Math.max(from, at) - start, Math.min(to, end) - start);
			marked.push({...part, ...look, text: stillSafe(lit)});
			at = Math.min(to, end);
		}
		if (at < end) marked.push({...part, text: stillSafe(part.text.slice(at - start))});
		start = end;
	}
	return marked;
}
