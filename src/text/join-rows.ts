import {type Line, lineText, type Piece} from './line.ts';

/**
 * The words of rows, a line each; a row that goes on with the one above stands behind it, as before it was wrapped.
 * The first `gutter` characters of a row are left out. Rows of a table stay as they are drawn.
 */
export function joinRows(rows: readonly Line[], gutter: number): string {
	let joined = '';
	let above: Piece | undefined;
	for (const [index, row] of rows.entries()) {
		const line = row.filter(part => !part.isAside);
		const piece = onlyPiece(line);
		if (piece?.above && piece.above === above)
			joined += piece.joint + lineText(line.filter(part => part.piece)).trimEnd();
		else joined += (index === 0 ? '' : '\n') + lineText(line).slice(gutter).trimEnd();
		above = piece;
	}
	return joined;
}

/** The piece that a row shows to its end, and no other. */
function onlyPiece(line: Line): Piece | undefined {
	const first = line.findIndex(part => part.piece);
	const piece = line[first]?.piece;
	return line.slice(first).every(part => part.piece === piece) ? piece : undefined;
}
