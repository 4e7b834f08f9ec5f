import type {ExportColumn} from '../../domain/export-table.ts';
import {maskText} from '../../domain/masking.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, lineText, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber, shortNumber} from '../../text/values/numbers.ts';
import {naturalKey, type SortKey, sortRows, type TableOrder} from './table-rows.ts';

/** How wide a column is on the screen, in screen columns. */
export type ColumnSize = {
	/** Minimum width. */
	readonly width: number;
	/** May grow to this width when there is room. */
	readonly max?: number;
	/**
	 * Grows once the columns up to this rank have their width, sharing the room with others that grow then; by default
	 * after all of them, by rank.
	 */
	readonly growAfter?: number;
	/** Columns of the highest rank are left out first, those of rank 0 never. */
	readonly rank: number;
	/** A heading for this size only. */
	readonly title?: Safe;
};

export type TableContext = {
	/** Screen columns of the table; infinite in a command. */
	readonly width: number;
	/** Unix ms. */
	readonly now: number;
};

/**
 * One column of a table, for all that show it: the screen and its sort orders, the command's table, CSV, `--json` and
 * the filter's term `name:`, unless it is a number.
 */
export type Column<Row, Context extends TableContext = TableContext> = ExportColumn<Row> & {
	/** Its heading; by default the name in capitals. */
	readonly title?: Safe;
	/** Aligned at the end, and no term of the filter. */
	readonly isNumber?: boolean;
	/** Left out of a command's table. */
	readonly isOnlyCsv?: boolean;
	/** What its order sorts by, ascending; by default the value: the largest number first, or texts. */
	readonly sortKey?: (row: Row) => SortKey;
	/** Without a size, only commands have it. `widest`: columns of the longest text of all rows. */
	readonly size?: ColumnSize | ((context: Context, widest: number) => ColumnSize);
	/** The text that is measured; by default the value. */
	readonly text?: (row: Row) => string | undefined;
	/** The cell, in at most `width` columns, which are infinite in a command; by default the value, dimmed. */
	readonly cell?: (row: Row, context: Context, width: number) => Line;
	/** What a command shows instead of the cell. */
	readonly show?: (row: Row, context: Context) => Safe;
	/** The value under `quarterdeck` in `--json`, for what isn't a field of the contract. */
	readonly json?: (row: Row) => unknown;
};

export function titleOf({title, name}: Pick<Column<never>, 'title' | 'name'>): Safe {
	return title ?? cleanLine(name.replaceAll('_', ' ').toUpperCase());
}

export function cellOf<Row, Context extends TableContext>(
	{cell, value}: Column<Row, Context>,
	row: Row,
	context: Context,
	width: number,
): Line {
	if (cell) return cell(row, context, width);
	const content = value(row);
	if (typeof content === 'number') return [span(numberIn(content, width), 'dim')];
	return [span(cutEnd(cleanLine(String(content ?? '') || '-'), width), 'dim')];
}

/** A number in full, with blanks for decimal places that it lacks; short if `width` has no room for that. */
export function numberIn(value: number | undefined, width: number, places = 0): Safe {
	const exact = exactNumber(value);
	if (textWidth(exact) > width) return shortNumber(value);
	const point = exact.indexOf('.');
	const aligned = (point < 0 ? exact.length : point) + 1 + places;
	return places === 0 || aligned > width ? exact : pad(exact, aligned);
}

/** The text of a cell in a command, without secrets. */
export function textOf<Row, Context extends TableContext>(
	column: Column<Row, Context>,
	row: Row,
	context: Context,
): Safe {
	if (column.show) return column.show(row, context);
	const text = lineText(cellOf(column, row, context, Number.POSITIVE_INFINITY));
	return text === '' ? safe`-` : cleanLine(maskText(text));
}

/** The fields of a row that are ours. */
export function jsonOf<Row>(columns: readonly Column<Row, never>[], row: Row): Record<string, unknown> {
	return Object.fromEntries(columns.flatMap(({name, json}) => (json ? [[name, json(row)]] : [])));
}

/** An object of the service, with the fields of its row that are ours. */
export function withOurs<Row>(object: object, columns: readonly Column<Row, never>[], row: Row): object {
	const ours = Object.entries(jsonOf(columns, row)).filter(([, value]) => value !== undefined);
	return ours.length === 0 ? object : {...object, quarterdeck: Object.fromEntries(ours)};
}

/** The orders of a table: its columns on the screen, by name. */
export function ordersOf(columns: readonly Column<never, never>[]): readonly string[] {
	return columns.flatMap(({name, size}) => (size ? [name] : []));
}

/** Sorts rows by the column of that name; equal ones keep their order. */
export function orderRows<Row>(
	columns: readonly Column<Row, never>[],
	rows: readonly Row[],
	{order, isReversed}: TableOrder,
): readonly Row[] {
	const column = columns.find(({name}) => name === order);
	return column ? sortRows(rows, row => sortKeyOf(column, row), isReversed) : rows;
}

function sortKeyOf<Row>({sortKey, value}: Column<Row, never>, row: Row): SortKey {
	if (sortKey) return sortKey(row);
	const content = value(row);
	return typeof content === 'number' ? -content : naturalKey(content?.toString());
}

/** The names of the columns that are terms of a filter. */
export function fieldsOf(columns: readonly Column<never, never>[]): readonly string[] {
	return columns.flatMap(({name, isNumber}) => (isNumber ? [] : [name]));
}

/** The texts of a row that plain words of a filter look in. */
export function wordsOf<Row>(columns: readonly Column<Row, never>[], row: Row): string {
	return columns.map(({isNumber, value}) => (isNumber ? '' : (value(row) ?? ''))).join('\n');
}

/** The text of a column that a filter looks in. */
export function fieldOf<Row>(
	columns: readonly Column<Row, never>[],
	row: Row,
	name: string,
): string | undefined {
	return columns
		.find(column => column.name === name)
		?.value(row)
		?.toString();
}
