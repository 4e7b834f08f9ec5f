import type {Mark} from '../../state/view/find.ts';
import type {Line, Piece} from '../../text/cells/line.ts';
import {gutterOf} from '../../text/messages/message-rows.ts';
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

/** The text of rows as before wrapping, without the first `gutter` characters; tables stay as drawn. */
export function joinRows(rows: readonly Line[], gutter: number): string {
	let joined = '';
	let above: Piece | undefined;
	for (const [index, row] of rows.entries()) {
		const line = row.filter(part => !part.isDecoration);
		const piece = onlyPiece(line);
		if (piece?.above && piece.above === above)
			joined += piece.joint + copiedText(line.filter(part => part.piece)).trimEnd();
		else joined += (index === 0 ? '' : '\n') + copiedText(line).slice(gutter).trimEnd();
		above = piece;
	}
	return joined;
}

function copiedText(line: Line): string {
	return line.map(({text, copied}) => copied ?? text).join('');
}

/** The piece that fills the row to its end, if it is the only one. */
function onlyPiece(line: Line): Piece | undefined {
	const first = line.findIndex(part => part.piece);
	const piece = line[first]?.piece;
	return line.slice(first).every(part => part.piece === piece) ? piece : undefined;
}
