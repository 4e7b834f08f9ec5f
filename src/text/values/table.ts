import {pad} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import type {Line, Span} from '../cells/line.ts';
import {type Safe, safe} from '../cells/safe.ts';

/** A table column. Columns with `grow` shrink first if the table is too wide. */
export type Column = {
	readonly title?: Safe;
	readonly align?: 'start' | 'end';
	/** Maximum width of the text in columns. */
	readonly max?: number;
	readonly grow?: boolean;
};

export type Cell = Omit<Span, 'inverse'>;

const gap = 2;
/** A narrower column is unreadable. */
const minWidth = 4;

/**
 * Lines of a table: a heading if columns have titles, then one line per row, columns two spaces apart. With `width`, no line is
 * wider: columns with `grow` shrink first, then the widest. Missing cells are empty; the last column isn't
 * padded.
 */
export function tableLines(
	columns: readonly Column[],
	rows: readonly (readonly Cell[])[],
	{width = Number.POSITIVE_INFINITY}: {width?: number} = {},
): Line[] {
	const all = columns.some(({title}) => title) ? [headingOf(columns), ...rows] : rows;
	const widths = widthsOf(columns, all);
	shrink(widths, columns, width);
	return all.map(row => rowLine(row, columns, widths));
}

/**
 * A table whose rows arrive in chunks: the returned function gives the lines of each chunk, and the heading
 * with the first. Columns are as wide as the widest cell so far, so earlier lines don't change.
 */
export function growingTable(columns: readonly Column[]): (rows: readonly (readonly Cell[])[]) => Line[] {
	let widths: number[] | undefined;
	return rows => {
		const lines = widths ? rows : [headingOf(columns), ...rows];
		widths = widthsOf(columns, lines).map((width, index) => Math.max(width, widths?.[index] ?? 0));
		return lines.map(row => rowLine(row, columns, widths ?? []));
	};
}

function headingOf(columns: readonly Column[]): Cell[] {
	return columns.map(({title}) => ({text: title ?? safe``, tone: 'dim'}));
}

function widthsOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
	return columns.map((column, index) => {
		const needed = rows.reduce((widest, row) => Math.max(widest, textWidth(row[index]?.text ?? '')), 0);
		return Math.min(needed, column.max ?? Number.POSITIVE_INFINITY);
	});
}

function rowLine(row: readonly Cell[], columns: readonly Column[], widths: readonly number[]): Line {
	const line: Span[] = [];
	for (const [index, column] of columns.entries()) {
		const cell = row[index] ?? {text: safe``};
		const isLast = index === columns.length - 1;
		const width =
			isLast && column.align !== 'end' ? Math.min(widths[index] ?? 0, textWidth(cell.text)) : widths[index];
		line.push({...cell, text: pad(cell.text, width ?? 0, column.align)});
		if (!isLast) line.push({text: safe`  `});
	}
	return line;
}

/** Shrinks columns until the table fits: the widest with `grow` first, then the widest of all. */
function shrink(widths: number[], columns: readonly Column[], width: number): void {
	const excess = widths.reduce((a, b) => a + b, 0) + gap * Math.max(0, widths.length - 1) - width;
	const growing = [...widths.keys()].filter(index => columns[index]?.grow);
	narrow(widths, narrow(widths, excess, growing));
}

/** Narrows the widest of the columns at `indexes` by `excess` while readable; returns the excess left. */
function narrow(widths: number[], excess: number, indexes: readonly number[] = [...widths.keys()]): number {
	while (excess > 0) {
		const own = indexes.map(index => widths[index] ?? 0);
		const widest = Math.max(...own);
		if (widest <= minWidth) break;
		const next = Math.max(minWidth, ...own.filter(width => width < widest));
		const wide = indexes.filter(index => widths[index] === widest);
		const by = Math.max(1, Math.min(widest - next, Math.floor(excess / wide.length)));
		for (const index of wide.slice(0, excess)) {
			widths[index] = widest - by;
			excess -= by;
		}
	}
	return excess;
}
