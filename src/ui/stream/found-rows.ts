import type {Hit} from '../../state/find.ts';
import type {Line} from '../../text/line.ts';
import {gutterOf} from '../../text/message-rows.ts';
import {findMatches, highlightMatches, type MatchRange, type RowMatches} from '../../text/search-matches.ts';

/** What was found last in rows that stay the same array as long as they are: a frame looks nothing through again. */
const remembered = new WeakMap<readonly Line[], RowMatches & {readonly source: string}>();

/**
 * Where rows of an item in `width` columns, its lead not among them, hold what is looked for. Who wrote it and when is
 * not what it says.
 */
export function foundInItem(rows: readonly Line[], pattern: RegExp, width: number): RowMatches {
	const known = remembered.get(rows);
	if (known?.source === pattern.source) return known;
	const found = {...findMatches(rows, pattern, row => textStart(row, width)), source: pattern.source};
	remembered.set(rows, found);
	return found;
}

/** Lights up what was found in a row, the place `nth` more than the others. */
export function markRow(line: Line, ranges: readonly MatchRange[], nth: number | undefined): Line {
	const nthLook = {tone: 'accent', inverse: true, bold: true} as const;
	return highlightMatches(line, ranges, {tone: 'warn', inverse: true}, {nth, nthLook});
}

/** The place meant by a number when there may be fewer now: the text has changed, or is drawn otherwise. */
export function placeAt(places: readonly number[], nth: Hit['nth']): number | undefined {
	return places.length === 0 ? undefined : Math.min(nth, places.length - 1);
}

/** Characters of a row before what the message says. */
function textStart(row: number, width: number): number {
	const gutter = gutterOf(width);
	return gutter === 0 && row === 0 ? Number.POSITIVE_INFINITY : gutter;
}
