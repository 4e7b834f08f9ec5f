import type {Hit} from '../../state/find.ts';
import {type FoundInRows, type FoundRange, findInRows, markFound} from '../../text/found.ts';
import type {Line} from '../../text/line.ts';
import {gutterOf} from '../../text/message-rows.ts';

/** What was found last in rows that stay the same array as long as they are: a frame looks nothing through again. */
const remembered = new WeakMap<readonly Line[], FoundInRows & {readonly source: string}>();

/**
 * Where rows of an item in `width` columns, its lead not among them, hold what is looked for. Who wrote it and when is
 * not what it says.
 */
export function foundInItem(rows: readonly Line[], pattern: RegExp, width: number): FoundInRows {
	const known = remembered.get(rows);
	if (known?.source === pattern.source) return known;
	const found = {...findInRows(rows, pattern, row => saidFrom(row, width)), source: pattern.source};
	remembered.set(rows, found);
	return found;
}

/** Lights up what was found in a row, the place `nth` more than the others. */
export function markRow(line: Line, ranges: readonly FoundRange[], nth: number | undefined): Line {
	const nthLook = {tone: 'accent', inverse: true, bold: true} as const;
	return markFound(line, ranges, {tone: 'warn', inverse: true}, {nth, nthLook});
}

/** The place meant by a number when there may be fewer now: the text has changed, or is drawn otherwise. */
export function placeAt(places: readonly number[], nth: Hit['nth']): number | undefined {
	return places.length === 0 ? undefined : Math.min(nth, places.length - 1);
}

/** Characters of a row before what the message says. */
function saidFrom(row: number, width: number): number {
	const gutter = gutterOf(width);
	return gutter === 0 && row === 0 ? Number.POSITIVE_INFINITY : gutter;
}
