import type {Hit} from '../../state/find.ts';
import {countFound, markFound} from '../../text/found.ts';
import type {Line} from '../../text/line.ts';
import {gutterOf} from '../../text/message-rows.ts';

/**
 * Where rows of an item, its lead not among them, hold what is looked for: the row of each place, in reading order. Who
 * wrote it and when is not what it says.
 */
export function foundRows(rows: readonly Line[], pattern: RegExp, width: number): readonly number[] {
	return rows.flatMap((line, row) =>
		Array<number>(countFound(line, pattern, saidFrom(row, width))).fill(row),
	);
}

/** Lights up what was found in a row, the place that the reader is at more than the others. */
export function markRow(
	line: Line,
	row: number,
	pattern: RegExp,
	width: number,
	at: {readonly places: readonly number[]; readonly nth: number} | undefined,
): Line {
	const nth = at && placeAt(at.places, at.nth);
	const isHere = nth !== undefined && at?.places[nth] === row;
	return markFound(
		line,
		pattern,
		{tone: 'warn', inverse: true},
		{
			from: saidFrom(row, width),
			...(isHere && {nth: nth - (at?.places.indexOf(row) ?? 0)}),
			nthLook: {tone: 'accent', inverse: true, bold: true},
		},
	);
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
