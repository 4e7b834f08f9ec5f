import {pad} from '../../text/cut.ts';
import {span, type Tone} from '../../text/line.ts';
import type {Safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';
import {fitTable, type TableColumn} from '../kit/columns.ts';

/** One column of a page's list. Columns are given up from the last on when there is no room. */
export type PageColumn<Row> = {
	readonly title: Safe;
	readonly width: number;
	/** Columns that its longest words take: it gets as many where there is room. */
	readonly wanted?: number;
	readonly isNumber?: boolean;
	/** Its words, cut at their end where they are wider than the column. */
	readonly cell: (row: Row, width: number) => readonly [text: Safe, tone?: Tone];
};

/** The columns that fit, at their widths; the room that is left goes to those that want more, in equal parts. */
export function fitColumns<Row>(
	columns: readonly PageColumn<Row>[],
	width: number,
): readonly TableColumn<Row>[] {
	return fitTable(tableColumns(columns), width);
}

/** The columns at their own widths. */
export function tableColumns<Row>(columns: readonly PageColumn<Row>[]): readonly TableColumn<Row>[] {
	return columns.map(({title, width, wanted = 0, isNumber = false, cell}, rank) => ({
		title,
		width,
		max: wanted,
		growthRank: columns.length,
		isNumber,
		rank,
		cell(row, own) {
			const [text, tone] = cell(row, own);
			return [span(pad(text, own, isNumber ? 'end' : 'start'), tone)];
		},
	}));
}

const known = new WeakMap<object, Map<unknown, number>>();

/**
 * Columns of the longest of a list's texts: what a column wants. Reckoned once for a list and a function, which is to be
 * the same one each time: lists of twenty thousand are shown anew with each key that sorts them.
 */
export function widestOf<Item>(list: readonly Item[], textOf: (item: Item) => string): number {
	const widths = known.get(list) ?? new Map<unknown, number>();
	known.set(list, widths);
	const width =
		widths.get(textOf) ?? list.reduce((widest, item) => Math.max(widest, textWidth(textOf(item))), 0);
	widths.set(textOf, width);
	return width;
}
