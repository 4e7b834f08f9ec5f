import type {Mark} from '../../state/view/find.ts';
import type {Line} from '../../text/cells/line.ts';
import {gutterOf} from '../../text/messages/message-rows.ts';
import {joinRows} from '../../text/messages/row-text.ts';
import {isBefore, type Position, positionOf, type StreamExtent} from './viewport.ts';

/** Maximum number of rows copied at once. */
const maxRows = 5000;

/** Both ends of a mark, the earlier one first; undefined when one is no longer loaded. */
function endsOf(extent: StreamExtent, {from, to}: Mark): readonly [Position, Position] | undefined {
	const a = positionOf(extent, from);
	const b = positionOf(extent, to);
	if (!a || !b) return undefined;
	return isBefore(b, a) ? [b, a] : [a, b];
}

export function isMarked(extent: StreamExtent, mark: Mark): (row: Position) => boolean {
	const ends = endsOf(extent, mark);
	return row => ends !== undefined && !isBefore(row, ends[0]) && !isBefore(ends[1], row);
}

/** The text of the marked rows, without author and time; wrapped rows are joined again. */
export function markedText(extent: StreamExtent, mark: Mark): {text: string; rows: number} {
	const ends = endsOf(extent, mark);
	if (!ends) return {text: '', rows: 0};
	const [first, last] = ends;
	const rows: Line[] = [];
	for (let index = first.index; index <= last.index && rows.length < maxRows; index++) {
		const lead = extent.leadAt(index);
		const lines = extent.linesAt(index);
		const from = Math.max(lead, index === first.index ? first.line : 0);
		const to = index === last.index ? last.line + 1 : lines.length;
		rows.push(...lines.slice(from, to));
	}
	return {text: joinRows(rows, gutterOf(extent.width)), rows: rows.length};
}
