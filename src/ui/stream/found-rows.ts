import type {Hit} from '../../state/view/find.ts';
import type {Line} from '../../text/cells/line.ts';
import {gutterOf} from '../../text/messages/message-rows.ts';
import {
	findMatches,
	highlightMatches,
	type MatchRange,
	type RowMatches,
} from '../../text/search/search-matches.ts';

/** The last result per rows array: rows keep their array while unchanged, so a frame searches nothing twice. */
const cached = new WeakMap<readonly Line[], RowMatches & {readonly source: string}>();

/** Matches in an item's rows at `width` columns, without its lead. */
export function foundInItem(rows: readonly Line[], pattern: RegExp, width: number): RowMatches {
	const known = cached.get(rows);
	if (known?.source === pattern.source) return known;
	const found = {...findMatches(rows, pattern, () => gutterOf(width)), source: pattern.source};
	cached.set(rows, found);
	return found;
}

/** Highlights the matches in a row, and match `nth` more strongly. */
export function markRow(line: Line, ranges: readonly MatchRange[], nth: number | undefined): Line {
	const nthLook = {tone: 'accent', inverse: true, bold: true} as const;
	return highlightMatches(line, ranges, {tone: 'warn', inverse: true}, {nth, nthLook});
}

/** `nth`, or the last match if there are fewer now: the text or its rendering may have changed; or the best match. */
export function matchIndex({startRows, best}: RowMatches, nth: Hit['nth']): number | undefined {
	return startRows.length === 0 ? undefined : Math.min(nth ?? best.index, startRows.length - 1);
}
