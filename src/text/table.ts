import {pad} from './cut.ts';
import type {Line, Span} from './line.ts';
import {type Safe, safe} from './safe.ts';
import {textWidth} from './width.ts';

/** One column of a table. A column with `grow` gives its columns up first when the table is too wide. */
export type Column = {
	readonly title: Safe;
	readonly align?: 'start' | 'end';
	/** At most this many columns of text. */
	readonly max?: number;
	readonly grow?: boolean;
};

export type Cell = Omit<Span, 'inverse'>;

const gap = 2;
/** A column narrower than this can't be read. */
const least = 4;

/**
 * Lines of a table: a heading, then one line a row, columns two spaces apart. With `width` no line is wider: the columns
 * that `grow` shrink first, then the widest. Cells that are missing are empty; the last column isn't padded.
 */
export function tableLines(
	columns: readonly Column[],
	rows: readonly (readonly Cell[])[],
	{width = Number.POSITIVE_INFINITY, hasHeading = true}: {width?: number; hasHeading?: boolean} = {},
): Line[] {
	const widths = widthsOf(columns, hasHeading ? [headingOf(columns), ...rows] : rows);
	shrink(widths, columns, width);
	return (hasHeading ? [headingOf(columns), ...rows] : rows).map(row => rowLine(row, columns, widths));
}

/**
 * A table whose rows come in parts: answers the lines of each part, the heading with the first. A column is as wide as the
 * widest cell so far, so lines that were given before stay as they are.
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
	return columns.map(({title}) => ({text: title, tone: 'dim'}));
}

/** The widest cell of each column. */
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

/** Takes columns away until the table fits: from the widest that grows, then from the widest of all. */
function shrink(widths: number[], columns: readonly Column[], width: number): void {
	const excess = widths.reduce((a, b) => a + b, 0) + gap * Math.max(0, widths.length - 1) - width;
	const growing = [...widths.keys()].filter(index => columns[index]?.grow);
	narrow(widths, narrow(widths, excess, growing));
}

/**
 * Takes `excess` columns away from the widest of the columns at `places`, as long as they can be read. Answers how many
 * are left over.
 */
export function narrow(
	widths: number[],
	excess: number,
	places: readonly number[] = [...widths.keys()],
): number {
	while (excess > 0) {
		const own = places.map(place => widths[place] ?? 0);
		const widest = Math.max(...own);
		if (widest <= least) break;
		const next = Math.max(least, ...own.filter(width => width < widest));
		const wide = places.filter(place => widths[place] === widest);
		const by = Math.max(1, Math.min(widest - next, Math.floor(excess / wide.length)));
		for (const place of wide.slice(0, excess)) {
			widths[place] = widest - by;
			excess -= by;
		}
	}
	return excess;
}
