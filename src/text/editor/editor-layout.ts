import {cleanText} from '../cells/clean.ts';
import {cutEnd, ellipsis} from '../cells/cut.ts';
import {eachGrapheme, plainColumns, textWidth} from '../cells/graphemes.ts';
import type {Line, Span} from '../cells/line.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';
import {chipLabel, pasteOf} from './editor.ts';
import type {EditorState} from './editor-state.ts';

/** One grapheme as drawn. */
type EditorCell = {
	readonly index: number;
	readonly text: Safe;
	readonly width: number;
	readonly isChip: boolean;
};

/** One row of the editor: the text from `start` up to `end`, and its cells. */
type EditorRow = {readonly start: number; readonly end: number; readonly cells: readonly EditorCell[]};

const tabWidth = 4;

/**
 * Lays out the editor's rows, wrapped after spaces; breaks words longer than a row. Every index of the text
 * is in exactly one row. One column stays free for the cursor, so rows are at most `width - 1` columns wide.
 */
export function editorRows(text: string, pastes: readonly string[], width: number): EditorRow[] {
	const columns = Math.max(1, width - 1);
	const rows: EditorRow[] = [];
	let cells: EditorCell[] = [];
	let start = 0;
	let used = 0;
	/** Number of cells up to and including the last space. */
	let breakAfter = 0;
	const finish = (count: number, end: number) => {
		rows.push({start, end, cells: cells.slice(0, count)});
		cells = cells.slice(count);
		start = end;
		used = cells.reduce((sum, cell) => sum + cell.width, 0);
		breakAfter = 0;
	};
	eachGrapheme(text, (grapheme, index) => {
		if (grapheme === '\n') {
			finish(cells.length, index);
			start = index + 1;
			return undefined;
		}
		const cell = cellOf(grapheme, index, pastes, columns);
		while (used + cell.width > columns && cells.length > 0) {
			const isAtSpace = breakAfter > 0 && breakAfter < cells.length && grapheme !== ' ';
			const count = isAtSpace ? breakAfter : cells.length;
			finish(count, cells[count]?.index ?? index);
		}
		cells.push(cell);
		used += cell.width;
		if (grapheme === ' ') breakAfter = cells.length;
		return undefined;
	});
	rows.push({start, end: text.length, cells});
	return rows;
}

function cellOf(grapheme: string, index: number, pastes: readonly string[], columns: number): EditorCell {
	const paste = pasteOf(grapheme, pastes);
	if (paste !== undefined) {
		const text = cutEnd(chipLabel(paste), columns);
		return {index, text, width: textWidth(text), isChip: true};
	}
	const plain = grapheme.length === 1 ? plainColumns(grapheme.charCodeAt(0)) : 0;
	if (plain > 0 && plain <= columns) return {index, text: stillSafe(grapheme), width: plain, isChip: false};
	const text = grapheme === '\t' ? stillSafe(' '.repeat(tabWidth)) : cleanText(grapheme);
	const fitted = cutEnd(text, columns);
	return {index, text: fitted, width: textWidth(fitted), isChip: false};
}

/** The row and column of an index. An index between two rows is at the start of the second. */
export function positionOf(rows: readonly EditorRow[], index: number): {x: number; y: number} {
	const y = Math.max(
		0,
		rows.findLastIndex(row => row.start <= index),
	);
	let x = 0;
	for (const cell of rows[y]?.cells ?? []) {
		if (cell.index >= index) break;
		x += cell.width;
	}
	return {x, y};
}

/** The index nearest to a column of a row, but not after it. */
export function indexAt(rows: readonly EditorRow[], y: number, column: number): number {
	const row = rows[y];
	if (!row) return 0;
	let x = 0;
	for (const cell of row.cells) {
		if (x + cell.width > column) return cell.index;
		x += cell.width;
	}
	// The end of a wrapped row is the start of the next: stay before its last cell instead.
	const isWrapped = rows[y + 1]?.start === row.end;
	return isWrapped ? (row.cells.at(-1)?.index ?? row.start) : row.end;
}

/**
 * The editor's rows around its cursor: at most `maxRows`, none wider than `width` columns. `cursor` counts from the
 * first of them; `hidden` counts the rows beyond them.
 */
export function editorView(state: EditorState, width: number, maxRows: number) {
	const rows = editorRows(state.text, state.pastes, width);
	const {x, y} = positionOf(rows, state.cursor);
	const count = Math.min(rows.length, Math.max(1, maxRows));
	const top = Math.min(Math.max(0, y - Math.floor(count / 2)), rows.length - count);
	const lines = rows.slice(top, top + count).map(row => cellsLine(row.cells));
	return {
		lines,
		cursor: {x, y: y - top},
		hidden: {above: top, below: rows.length - top - count},
	};
}

/**
 * The part of a one-line text around the cursor that fits `width` columns, with an ellipsis where it is cut; and the
 * cursor's column in it. `mask` replaces each character.
 */
export function fieldView(
	{text, cursor}: Pick<EditorState, 'text' | 'cursor'>,
	width: number,
	mask?: Safe,
): {readonly text: Safe; readonly cursor: number} {
	const [row] = editorRows(text, [], Number.MAX_SAFE_INTEGER);
	const cells = (row?.cells ?? []).map(cell => (mask === undefined ? cell : {...cell, text: mask, width: 1}));
	const widthOf = (some: readonly EditorCell[]) => some.reduce((sum, cell) => sum + cell.width, 0);
	const before = cells.filter(({index}) => index < cursor);
	if (widthOf(cells) < width) return {text: joined('', cells), cursor: widthOf(before)};
	const [atCursor, ...after] = cells.slice(before.length);
	/** Columns that the cursor needs: its character and either the next one, if that is the last, or a mark. */
	const needed = (atCursor?.width || 1) + (after.length > 0 ? 1 : 0);
	let first = 0;
	let x = widthOf(before);
	while (first < before.length && x + (first > 0 ? 1 : 0) + needed > width) x -= cells[first++]?.width ?? 0;
	const start = first > 0 ? ellipsis : '';
	const rest = cells.slice(first);
	const room = width - start.length;
	if (widthOf(rest) <= room) return {text: joined(start, rest), cursor: start.length + x};
	let count = 0;
	for (let used = 1; used + (rest[count]?.width ?? 0) <= room; count++) used += rest[count]?.width ?? 0;
	return {
		text: stillSafe(joined(start, rest.slice(0, count)) + ellipsis),
		cursor: start.length + x,
	};
}

function joined(start: string, cells: readonly EditorCell[]): Safe {
	return stillSafe(start + cells.map(({text}) => text).join(''));
}

/** Whether the cursor is on the first or last row, where up and down may navigate the history. */
export function cursorEdge(state: EditorState, width: number): {isFirstRow: boolean; isLastRow: boolean} {
	const rows = editorRows(state.text, state.pastes, width);
	const {y} = positionOf(rows, state.cursor);
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
