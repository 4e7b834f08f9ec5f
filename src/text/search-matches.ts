import {cleanLine} from './clean.ts';
import type {Line, Piece, Span} from './line.ts';
import {stillSafe} from './safe.ts';

const isWord = /[\p{L}\p{N}]/u;
/** Scripts written without spaces: a word of theirs may begin anywhere (see the search index). */
const unspaced =
	/^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Hangul}]/u;

/** Matches what the search index finds by these words: each by its beginning, in any case. Absent: nothing to find. */
export function searchPattern(words: string): RegExp | undefined {
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

/** Units of a row, from `from` up to but not including `to`, that are (a part of) the place of this number. */
export type MatchRange = {readonly from: number; readonly to: number; readonly place: number};

/** Places in reading order, each by the row it begins in; and what each row holds of them, by its index. */
export type RowMatches = {
	readonly places: readonly number[];
	readonly inRow: ReadonlyMap<number, readonly MatchRange[]>;
};

/**
 * Where rows hold what is looked for, also where it goes on in the row below. What begins before unit `textStart` of its
 * row is left out. Linear in the rows.
 */
export function findMatches(
	rows: readonly Line[],
	pattern: RegExp,
	textStart: (row: number) => number = () => 0,
): RowMatches {
	const found = textsOf(rows)
		.flatMap(text => [...placesIn(text, pattern)])
		.filter(({row, from}) => from >= textStart(row))
		.sort((a, b) => a.row - b.row || a.from - b.from);
	const inRow = new Map<number, MatchRange[]>();
	for (const [place, {parts}] of found.entries())
		for (const {row, from, to} of parts) {
			const ranges = inRow.get(row) ?? [];
			inRow.set(row, ranges);
			ranges.push({from, to, place});
		}
	return {places: found.map(({row}) => row), inRow};
}

type MatchLook = Omit<Span, 'text' | 'piece'>;

/** The row with what it holds lit up; the place of number `nth` in a look of its own. Its words and its width stay. */
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
		for (const {from, to, place} of ranges) {
			if (to <= at || from >= end) continue;
			if (from > at) marked.push({...part, text: stillSafe(part.text.slice(at - start, from - start))});
			const lit = part.text.slice(Math.max(from, at) - start, Math.min(to, end) - start);
			marked.push({...part, ...(place === nth ? nthLook : look), text: stillSafe(lit)});
			at = Math.min(to, end);
		}
		if (at < end) marked.push({...part, text: stillSafe(part.text.slice(at - start))});
		start = end;
	}
	return marked;
}

/** A span of a row: units `from` of the row on, `at` of the text on. */
type Part = {readonly row: number; readonly from: number; readonly at: number; readonly length: number};
type ShownText = {words: string; readonly parts: Part[]};

/** What stands side by side in a row is one text; a piece that goes on from the row above belongs to the text of that. */
function textsOf(rows: readonly Line[]): readonly ShownText[] {
	const texts: ShownText[] = [];
	const ofPiece = new Map<Piece, ShownText>();
	for (const [row, line] of rows.entries()) {
		let from = 0;
		let piece: Piece | undefined;
		let text: ShownText | undefined;
		for (const part of line) {
			// It stands at the end of its row.
			if (part.isAside) break;
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

/** A place by where it begins, and all that rows show of it. */
type Place = {
	readonly row: number;
	readonly from: number;
	readonly parts: readonly {readonly row: number; readonly from: number; readonly to: number}[];
};

function* placesIn({words, parts}: ShownText, pattern: RegExp): Generator<Place> {
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
