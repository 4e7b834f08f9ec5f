import {pad} from '../../text/cut.ts';
import {type Line, span, type Tone} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

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

const gap = safe`  `;

/** The columns that fit, at their widths; the room that is left goes to those that want more, in equal parts. */
export function fitColumns<Row>(
	columns: readonly PageColumn<Row>[],
	width: number,
): readonly PageColumn<Row>[] {
	const fitting: PageColumn<Row>[] = [];
	let used = 0;
	for (const column of columns) {
		if (fitting.length > 0 && used + column.width + 2 > width) break;
		used += column.width + (fitting.length > 0 ? 2 : 0);
		fitting.push(column);
	}
	const lacking = ({wanted = 0, width: own}: PageColumn<Row>) => Math.max(0, wanted - own);
	const wanting = fitting.filter(column => lacking(column) > 0).sort((a, b) => lacking(a) - lacking(b));
	const given = new Map<PageColumn<Row>, number>();
	let left = width - used;
	// Who wants least is served first: what it leaves of its part goes to the others.
	for (const [index, column] of wanting.entries()) {
		const more = Math.min(lacking(column), Math.floor(left / (wanting.length - index)));
		given.set(column, more);
		left -= more;
	}
	// A single column that is wider than all there is gives way.
	const excess = Math.min(0, width - used);
	return fitting.map((column, index) => {
		const more = given.get(column) ?? (index === 0 ? excess : 0);
		return more === 0 ? column : {...column, width: Math.max(4, column.width + more)};
	});
}

export function columnsHeading<Row>(columns: readonly PageColumn<Row>[]): Line {
	return columns.flatMap(({title, width, isNumber}, index) => [
		...(index > 0 ? [span(gap)] : []),
		span(pad(title, width, isNumber ? 'end' : 'start'), 'dim'),
	]);
}

export function columnsRow<Row>(columns: readonly PageColumn<Row>[], row: Row): Line {
	return columns.flatMap(({width, isNumber, cell}, index) => {
		const [text, tone] = cell(row, width);
		return [...(index > 0 ? [span(gap)] : []), span(pad(text, width, isNumber ? 'end' : 'start'), tone)];
	});
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
