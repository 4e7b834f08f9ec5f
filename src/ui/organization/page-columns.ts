import {pad} from '../../text/cells/cut.ts';
import {span, type Tone} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {shortNumber} from '../../text/values/numbers.ts';
import {fitTable, type TableColumn, tableHeading, tableRow} from '../kit/columns.ts';
import type {Page} from './page.ts';

/** One column of a page's list. When room is short, the last columns are dropped. */
export type PageColumn<Row> = {
	readonly title: Safe;
	readonly width: number;
	/** Width of its longest text, used when there is room. */
	readonly fullWidth?: number;
	readonly isNumber?: boolean;
	/** The most decimal places of its numbers, which are aligned at the point where there is room. */
	readonly places?: number;
	/** The cell's text and tone; text wider than the column is truncated, and a number is rounded. */
	readonly cell: (row: Row, width: number) => readonly [text: Safe, tone?: Tone];
};

/** A page that lists rows in columns: those that fit in `width`. `empty` says why there are none. */
export function listPage<Row>({
	columns,
	rows,
	width,
	idOf,
	empty,
	...page
}: Pick<Page, 'title' | 'head' | 'data'> & {
	readonly columns: readonly PageColumn<Row>[];
	readonly rows: ArrayLike<Row>;
	readonly width: number;
	readonly idOf: (row: Row) => string | undefined;
	readonly empty: Safe;
}): Page {
	const fitted = fitColumns(columns, width);
	return {
		...page,
		heading: tableHeading(fitted),
		count: rows.length,
		idOf: index => (rows[index] === undefined ? undefined : idOf(rows[index])),
		row: index => tableRow(fitted, rows[index] as Row),
		empty: [[span(empty, 'dim')]],
	};
}

/** The columns that fit; leftover room is shared equally among those that want more. */
export function fitColumns<Row>(
	columns: readonly PageColumn<Row>[],
	width: number,
): readonly TableColumn<Row>[] {
	return fitTable(tableColumns(columns), width);
}

/** The columns at their minimum widths, as table columns. */
export function tableColumns<Row>(columns: readonly PageColumn<Row>[]): readonly TableColumn<Row>[] {
	return columns.map(({title, width, fullWidth = 0, isNumber = false, places = 0, cell}, rank) => ({
		title,
		width,
		max: fullWidth,
		growthRank: columns.length,
		isNumber,
		rank,
		cell(row, own) {
			const [text, tone] = cell(row, own);
			const isWide = isNumber && textWidth(text) > own;
			const aligned = isWide ? rounded(text) : places > 0 ? alignedAtPoint(text, places, own) : text;
			return [span(pad(aligned, own, isNumber ? 'end' : 'start'), tone)];
		},
	}));
}

/** `26B` for `26,243,885,210`: of a number that is cut, nobody knows how large it is. */
function rounded(text: Safe): Safe {
	return /^-?[\d,]+(?:\.\d+)?$/.test(text) ? shortNumber(Number(text.replaceAll(',', ''))) : text;
}

/** The number with blanks for the decimal places that it lacks, if that fits in `width`. */
function alignedAtPoint(text: Safe, places: number, width: number): Safe {
	const point = text.indexOf('.');
	const fullWidth = (point < 0 ? text.length : point) + 1 + places;
	return fullWidth > width ? text : pad(text, fullWidth);
}

const widthsByList = new WeakMap<object, Map<unknown, number>>();

/**
 * Width of the longest text in a list. Cached per list and `textOf`, so pass the same function each time: a
 * list of twenty thousand is redrawn on every sort key.
 */
export function widestOf<Item>(list: readonly Item[], textOf: (item: Item) => string): number {
	const widths = widthsByList.get(list) ?? new Map<unknown, number>();
	widthsByList.set(list, widths);
	const width =
		widths.get(textOf) ?? list.reduce((widest, item) => Math.max(widest, textWidth(textOf(item))), 0);
	widths.set(textOf, width);
	return width;
}
