import type {Span, Tone} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';
import type {Language} from './code-languages.ts';

/** State carried to the next line: the mark that ends an open comment or string. */
export type CodeState = {readonly end: string; readonly tone: Tone} | undefined;

/** Longer lines are data rather than readable code: shown in a single look. */
const maxLineLength = 2000;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /(?:0[xob])?\d[\da-fA-F_.]*/y;

/**
 * Splits one line of code into spans: comments, strings, numbers, keywords. Linear in its length. `state` is
 * the previous line's.
 */
export function codeSpans(
	line: Safe,
	language: Language,
	state: CodeState,
): {spans: readonly Span[]; state: CodeState} {
	if (line.length > maxLineLength) return {spans: [{text: line, tone: 'code'}], state};
	const spans: Span[] = [];
	let open = state;
	let at = 0;
	let plainFrom = 0;
	const flush = () => {
		if (at > plainFrom) spans.push({text: stillSafe(line.slice(plainFrom, at)), tone: 'code'});
	};
	const take = (length: number, tone: Tone) => {
		flush();
		if (length > 0) spans.push({text: stillSafe(line.slice(at, at + length)), tone});
		at += length;
		plainFrom = at;
	};
	while (at < line.length) {
		if (open) {
			const end = line.indexOf(open.end, at);
			const {tone} = open;
			if (end !== -1) {
				take(end + open.end.length - at, tone);
				open = undefined;
			} else take(line.length - at, tone);
			continue;
		}
		const found = tokenAt(line, at, language);
		if (!found) at++;
		else if (found.tone === undefined) at += found.length;
		else {
			if (found.opens !== undefined) open = {end: found.opens, tone: found.tone};
			take(found.length, found.tone);
		}
	}
	flush();
	return {spans, state: open};
}

type Token = {readonly length: number; readonly tone?: Tone; readonly opens?: string};

function tokenAt(line: string, at: number, language: Language): Token | undefined {
	const first = line[at] ?? '';
	if (language.comment.some(mark => line.startsWith(mark, at) && beginsComment(line, at, mark)))
		return {length: line.length - at, tone: 'dim'};
	const {block} = language;
	if (block && line.startsWith(block[0], at)) return {length: block[0].length, tone: 'dim', opens: block[1]};
	const long = language.long?.find(mark => line.startsWith(mark, at));
	if (long) return {length: long.length, tone: 'good', opens: long};
	if (language.quotes.includes(first)) return {length: stringLength(line, at, first), tone: 'good'};
	number.lastIndex = at;
	const digits = first >= '0' && first <= '9' ? number.exec(line)?.[0] : undefined;
	if (digits) return {length: digits.length, tone: 'warn'};
	word.lastIndex = at;
	const name = word.exec(line)?.[0];
	if (!name) return undefined;
	const isKeyword = language.keywords.has(language.isCaseless ? name.toLowerCase() : name);
	return {length: name.length, ...(isKeyword && {tone: 'accent'})};
}

/** A hash inside a word (`$#`, `a#b`) doesn't start a comment. */
function beginsComment(line: string, at: number, mark: string): boolean {
	return mark !== '#' || at === 0 || line[at - 1] === ' ';
}

function stringLength(line: string, at: number, quote: string): number {
	for (let index = at + 1; index < line.length; index++) {
		if (line[index] === '\\') index++;
		else if (line[index] === quote) return index + 1 - at;
	}
	return line.length - at;
}
