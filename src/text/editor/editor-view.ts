import type {Line, Span} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';
import {type EditorCell, editorRows, placeOf} from './editor-layout.ts';
import type {EditorState} from './editor-state.ts';

/**
 * The visible part of the editor. `cursor` counts from the first visible line; `hidden` are rows above and
 * below.
 */
export type EditorView = {
	readonly lines: readonly Line[];
	readonly cursor: {readonly x: number; readonly y: number};
	readonly hidden: {readonly above: number; readonly below: number};
};

/** The editor's rows around its cursor: at most `maxRows`, none wider than `width` columns. */
export function editorView(state: EditorState, width: number, maxRows: number): EditorView {
	const rows = editorRows(state.text, state.pastes, width);
	const {x, y} = placeOf(rows, state.cursor);
	const count = Math.min(rows.length, Math.max(1, maxRows));
	const top = Math.min(Math.max(0, y - Math.floor(count / 2)), rows.length - count);
	const lines = rows.slice(top, top + count).map(row => cellsLine(row.cells));
	return {
		lines,
		cursor: {x, y: y - top},
		hidden: {above: top, below: rows.length - top - count},
	};
}

/** Is the cursor on the first or last row? There, up and down may navigate the history. */
export function cursorEdge(state: EditorState, width: number): {isFirstRow: boolean; isLastRow: boolean} {
	const rows = editorRows(state.text, state.pastes, width);
	const {y} = placeOf(rows, state.cursor);
	return {isFirstRow: y === 0, isLastRow: y === rows.length - 1};
}

function cellsLine(cells: readonly EditorCell[]): Line {
	const line: Span[] = [];
	let plain = '';
	const flush = () => {
		if (plain !== '') line.push({text: stillSafe(plain)});
		plain = '';
	};
	for (const cell of cells) {
		if (cell.isChip) {
			flush();
			line.push({text: cell.text, tone: 'accent'});
		} else plain += cell.text;
	}
	flush();
	return line;
}
