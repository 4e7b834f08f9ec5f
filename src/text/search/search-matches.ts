import {
	bestPlace,
	placeOf,
	type SearchPlace,
	searchPattern as wordsPattern,
} from '../../domain/messages/search-words.ts';
import {cleanLine} from '../cells/clean.ts';
import type {Line, Piece, Span} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';

/** Rows that a stretch with several words may span. */
const maxStretch = 2;

/** A pattern that matches text on the screen like the search index; undefined without words. */
export function searchPattern(words: string): RegExp | undefined {
	// Clean the words like the text on screen.
	return wordsPattern(cleanLine(words));
}

/** A range of UTF-16 units in a row, `to` exclusive, that shows all or part of number `match`. */
export type MatchRange = {readonly from: number; readonly to: number; readonly match: number};

/**
 * `startRows`: the row where each match begins, in reading order; `best`: the match to show first, and how many
 * different terms occur there; `inRow`: each row's ranges.
 */
export type RowMatches = {
	readonly startRows: readonly number[];
	readonly best: {readonly index: number; readonly terms: number};
	readonly inRow: ReadonlyMap<number, readonly MatchRange[]>;
};

export const noMatches: RowMatches = {startRows: [], best: {index: 0, terms: 0}, inRow: new Map()};

/**
 * Finds the matches, including those across rows; skips those that begin before unit `textStart` of their row. If the
 * terms occur together as typed, only such places are matches.
 */
export function findMatches(
	rows: readonly Line[],
	pattern: RegExp,
	textStart: (row: number) => number = () => 0,
): RowMatches {
	const places = textsOf(rows)
		.flatMap(text => [...matchesIn(text, pattern)])
		.filter(({position, from}) => from >= textStart(position))
		.sort((a, b) => a.position - b.position || a.from - b.from);
	const phrases = places.filter(({isPhrase}) => isPhrase);
	const found = phrases.length > 0 ? phrases : places;
	const inRow = new Map<number, MatchRange[]>();
	for (const [match, {parts}] of found.entries())
		for (const {row, from, to} of parts) {
			const ranges = inRow.get(row) ?? [];
			inRow.set(row, ranges);
			ranges.push({from, to, match});
		}
	return {startRows: found.map(({position}) => position), best: bestPlace(found, maxStretch), inRow};
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

/** A match: its row, where it begins there, and all its ranges. */
type Match = SearchPlace & {
	readonly from: number;
	readonly parts: readonly {readonly row: number; readonly from: number; readonly to: number}[];
};

function* matchesIn({words, parts}: ShownText, pattern: RegExp): Generator<Match> {
	let first = 0;
	for (const match of words.matchAll(pattern)) {
		const {
			index,
			0: {length},
		} = match;
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
		yield {...placeOf(match, row), from, parts: shown};
	}
}
