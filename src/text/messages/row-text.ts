import type {Line, Piece} from '../cells/line.ts';

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

/** Number of lines in a raw text; a final line feed doesn't start another one. */
export function lineCount(text: string): number {
	let count = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return count;
}

/** Whether the rows hide part of their message: one was cut, stands for more, or ends in `+ 12 lines`. */
export function isCollapsed(rows: readonly Line[]): boolean {
	return rows.some(row => row.some(part => part.isCollapsed) || endsInCount(row));
}

const count = /^ *\+ (?:\d+ |the rest)/;

/** Whether the row ends in `+ 12 lines`. */
export function endsInCount(row: Line): boolean {
	const last = row.findLast(part => !part.isDecoration);
	return last?.tone === 'dim' && count.test(last.text);
}
