import {cleanLine} from '../cells/clean.ts';
import type {Line, Piece, Span} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';

const isWord = /[\p{L}\p{N}]/u;
/** Scripts written without spaces, where a word may begin anywhere (see the search index). */
const unspaced =
	/^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/u;

/** A pattern for what the search index finds: word prefixes, ignoring case; undefined without words. */
export function searchPattern(words: string): RegExp | undefined {
	// Clean the words like the text on screen.
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

/** A range of UTF-16 units in a row, `to` exclusive, that shows all or part of number `match`. */
export type MatchRange = {readonly from: number; readonly to: number; readonly match: number};

/** `startRows`: the row where each match begins, in reading order; `inRow`: each row's ranges. */
export type RowMatches = {
	readonly startRows: readonly number[];
	readonly inRow: ReadonlyMap<number, readonly MatchRange[]>;
};

/** Finds the matches, also across rows; skips those that begin before unit `textStart` of their row. */
export function findMatches(
	rows: readonly Line[],
	pattern: RegExp,
	textStart: (row: number) => number = () => 0,
): RowMatches {
	const found = textsOf(rows)
		.flatMap(text => [...matchesIn(text, pattern)])
		.filter(({row, from}) => from >= textStart(row))
		.sort((a, b) => a.row - b.row || a.from - b.from);
	const inRow = new Map<number, MatchRange[]>();
	for (const [match, {parts}] of found.entries())
		for (const {row, from, to} of parts) {
			const ranges = inRow.get(row) ?? [];
			inRow.set(row, ranges);
			ranges.push({from, to, match});
		}
	return {startRows: found.map(({row}) => row), inRow};
}

type MatchLook = Omit<Span, 'text' | 'piece'>;

/** Highlights the ranges of a row, and match number `nth` with its own look. Keeps the text and its width. */
export function highlightMatches(
	line: Line,
	ranges: readonly MatchRange[],
	look: MatchLook,
	{nth, nthLook = look}: {nth?: number | undefined; nthLook?: MatchLook} = {},
): Line {
	if (ranges.length === 0) return line;
	const marked: Span[] = [];
	let start = 0;
	for (const part of line) {
		const end = start + part.text.length;
		let at = start;
		for (const {from, to, match} of ranges) {
			if (to <= at || from >= end) continue;
			if (from > at) marked.push({...part, text: stillSafe(part.text.slice(at - start, from - start))});
			const lit = part.text.slice(Math.max(from, at) - start, Math.min(to, end) - start);
			marked.push({...part, ...(match === nth ? nthLook : look), text: stillSafe(lit)});
			at = Math.min(to, end);
		}
		if (at < end) marked.push({...part, text: stillSafe(part.text.slice(at - start))});
		start = end;
	}
	return marked;
}

/** A span of a row: starts at unit `from` of the row and unit `at` of the text. */
type Part = {readonly row: number; readonly from: number; readonly at: number; readonly length: number};
type ShownText = {words: string; readonly parts: Part[]};

/** Joins rows into texts: adjacent spans form one; a piece from the row above extends that row's. */
function textsOf(rows: readonly Line[]): readonly ShownText[] {
	const texts: ShownText[] = [];
	const ofPiece = new Map<Piece, ShownText>();
	for (const [row, line] of rows.entries()) {
		let from = 0;
		let piece: Piece | undefined;
		let text: ShownText | undefined;
		for (const part of line) {
			if (part.isDecoration) {
				from += part.text.length;
				continue;
			}
			if (!text || part.piece !== piece) {
				piece = part.piece;
				const above = piece?.above && ofPiece.get(piece.above);
				text = above ?? {words: '', parts: []};
				if (above) above.words += piece?.joint;
				else texts.push(text);
				if (piece) ofPiece.set(piece, text);
			}
			text.parts.push({row, from, at: text.words.length, length: part.text.length});
			text.words += part.text;
			from += part.text.length;
		}
	}
	return texts;
}

/** A match: where it begins, and all its ranges. */
type Match = {
	readonly row: number;
	readonly from: number;
	readonly parts: readonly {readonly row: number; readonly from: number; readonly to: number}[];
};

function* matchesIn({words, parts}: ShownText, pattern: RegExp): Generator<Match> {
	let first = 0;
	for (const {
		index,
		0: {length},
	} of words.matchAll(pattern)) {
		const shown = [];
		for (let at = first; at < parts.length; at++) {
			const part = parts[at] as Part;
			if (part.at >= index + length) break;
			if (part.at + part.length <= index) first = at + 1;
			else
				shown.push({
					row: part.row,
					from: part.from + Math.max(0, index - part.at),
					to: part.from + Math.min(part.length, index + length - part.at),
				});
		}
		const [{row, from} = {row: 0, from: 0}] = shown;
		yield {row, from, parts: shown};
	}
}
