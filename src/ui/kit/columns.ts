import {type Column, type ColumnSize, cellOf, type TableContext, titleOf} from '../../state/rows/column.ts';
import type {TableOrder} from '../../state/rows/table-rows.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';

export type TableColumn<Row> = ColumnSize & {
	readonly name?: string;
	readonly title: Safe;
	readonly isNumber?: boolean;
	/** The sort direction, if the table is sorted by this column; it is marked and never dropped. */
	readonly order?: 'up' | 'down';
	readonly cell: (row: Row, width: number) => Line;
};

const gap = 2;

/** The columns that the screen has, with the one that sorts the table marked. */
export function columnsOnScreen<Row, Context extends TableContext>(
	columns: readonly Column<Row, Context>[],
	widest: WidestTexts,
	context: Context,
	{order, isReversed, hidden}: Partial<TableOrder> & {readonly hidden?: readonly string[] | undefined} = {},
): readonly TableColumn<Row>[] {
	return columns.flatMap((column): TableColumn<Row>[] => {
		const {name, size, isNumber} = column;
		if (!size || hidden?.includes(name)) return [];
		return [
			{
				name,
				title: titleOf(column),
				...(typeof size === 'function' ? size(context, widest.get(name) ?? 0) : size),
				isNumber,
				order: name !== order ? undefined : isReversed ? 'down' : 'up',
				cell: (row, width) => cellOf(column, row, context, width),
			},
		];
	});
}

/** Whether any row has something in this column, so that it is worth its room. */
export function isUsed<Row>({text, value}: Column<Row, never>, rows: readonly Row[]): boolean {
	return rows.some(row => (text ? text(row) : (value(row) ?? '')) !== '');
}

/** Columns of the longest text of each column, by its name. */
export type WidestTexts = ReadonlyMap<string, number>;

/** A longer text isn't measured. */
const maxMeasured = 200;

/** Measures all rows, so that columns don't move when the list is filtered or scrolled. */
export function widestTexts<Row>(columns: readonly Column<Row, never>[], rows: readonly Row[]): WidestTexts {
	const measured = columns.filter(({size}) => typeof size === 'function');
	return new Map(
		measured.map(({name, text, value}) => [
			name,
			rows.reduce((widest, row) => {
				const content = text ? text(row) : value(row)?.toString();
				return Math.max(widest, textWidth(cleanLine(content ?? '', maxMeasured)));
			}, 0),
		]),
	);
}

/**
 * The columns that fit, in order, with their widths. Drops the least important first, then gives the
 * remaining room to columns that may grow, most important first.
 */
export function fitTable<Row>(
	columns: readonly TableColumn<Row>[],
	width: number,
): readonly TableColumn<Row>[] {
	const all = columns.map(widened);
	const widths = new Map<TableColumn<Row>, number>();
	let room = width + gap;
	let isFull = false;
	for (const {group, isGrowth} of demands(all)) {
		for (const column of isGrowth ? [] : group) {
			isFull ||= !isPermanent(column) && gap + column.width > room;
			if (isFull) continue;
			widths.set(column, column.width);
			room -= gap + column.width;
		}
		const growing = isGrowth ? group.filter(column => widths.has(column)) : [];
		// Serve the smallest demand first; the unused part of its share goes to the others.
		for (const [index, column] of growing.sort((a, b) => growthOf(a) - growthOf(b)).entries()) {
			const part = Math.floor(room / (growing.length - index));
			// Columns that can't be dropped may need more room than there is: the first to grow shrinks first.
			const min = Math.min(column.width, shrunkMin);
			const grown = Math.max(min, column.width + Math.min(growthOf(column), part));
			widths.set(column, grown);
			room -= grown - column.width;
		}
	}
	return all.flatMap(column => {
		const width = widths.get(column);
		return width === undefined ? [] : [{...column, width}];
	});
}

/** Minimum width of a column that shrinks. */
const shrunkMin = 4;

const growthOf = ({width, max = 0}: TableColumn<never>) => Math.max(0, max - width);

const isPermanent = ({rank, order}: TableColumn<never>) => rank === 0 || order !== undefined;

/** Demands for room, most important first: each column's own width, then growth for those that may grow. */
function demands<Row>(columns: readonly TableColumn<Row>[]) {
	const last = Math.max(...columns.map(({rank}) => rank)) + 1;
	const widths = columns.map(column => ({
		group: [column],
		isGrowth: false,
		rank: isPermanent(column) ? 0 : column.rank,
	}));
	const growing = Map.groupBy(
		columns.filter(({max}) => max !== undefined),
		({growAfter, rank}) => growAfter ?? last + rank,
	);
	const growths = [...growing].map(([rank, group]) => ({group, isGrowth: true, rank}));
	return [...widths, ...growths].sort((a, b) => a.rank - b.rank);
}

/** Makes room for the sort mark beside the title of the sorted column. */
function widened<Row>(column: TableColumn<Row>): TableColumn<Row> {
	if (column.order === undefined) return column;
	return {...column, width: Math.max(column.width, textWidth(column.title) + 1)};
}

export const orderMarks = {up: safe`▲`, down: safe`▼`} as const;

export function tableHeading<Row>(columns: readonly TableColumn<Row>[]): Line {
	return columns.flatMap(({title, width, isNumber, order}, index) => {
		const words = order === undefined ? title : safe`${title}${orderMarks[order]}`;
		return [
			span(index > 0 ? safe`  ` : safe``),
			span(pad(words, width, isNumber ? 'end' : 'start'), order === undefined ? 'dim' : 'strong'),
		];
	});
}

/** One row, with each cell exactly as wide as its column. */
export function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row): Line {
	return columns.flatMap(({width, isNumber, cell}, index) => [
		span(index > 0 ? safe`  ` : safe``),
		...padLine(cell(row, width), width, isNumber ? 'end' : 'start'),
	]);
}
