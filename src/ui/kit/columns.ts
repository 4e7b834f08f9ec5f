import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';

/** One column of a table in a pane. */
export type TableColumn<Row> = {
	readonly title: Safe;
	/** Minimum width in screen columns. */
	readonly width: number;
	/**
	 * May grow to this width when there is room, before columns with a higher `growthRank`, or last without
	 * one. Columns of the same `growthRank` share the room.
	 */
	readonly max?: number;
	readonly growthRank?: number;
	readonly isNumber?: boolean;
	/** Priority: 0 is most important and never dropped; higher ranks are dropped first. */
	readonly rank: number;
	/** The sort direction, if the table is sorted by this column; it is marked and never dropped. */
	readonly order?: 'up' | 'down';
	readonly cell: (row: Row, width: number) => Line;
};

const gap = 2;

/** A column of plain text, dimmed; a dash where there is none. */
export function textColumn<Row>(
	title: Safe,
	size: Pick<TableColumn<Row>, 'width' | 'max' | 'rank'>,
	textOf: (row: Row) => string | undefined,
): TableColumn<Row> {
	return {
		title,
		...size,
		cell: (row, width) => [span(cutEnd(cleanLine(textOf(row) || '-', maxTextLength), width), 'dim')],
	};
}

const maxTextLength = 60;

/** The columns by name, in the order of `names`, with the one that sorts the table marked. */
export function sortedBy<Name extends string, Row>(
	columns: Readonly<Record<Name, TableColumn<Row>>>,
	names: readonly Name[],
	{order, isReversed}: {readonly order: Name | undefined; readonly isReversed: boolean},
): readonly TableColumn<Row>[] {
	const direction = isReversed ? 'down' : 'up';
	return names.map(name => (name === order ? {...columns[name], order: direction} : columns[name]));
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
		({growthRank, rank}) => growthRank ?? last + rank,
	);
	const growths = [...growing].map(([rank, group]) => ({group, isGrowth: true, rank}));
	return [...widths, ...growths].sort((a, b) => a.rank - b.rank);
}

/** Makes room for the sort mark beside the title of the sorted column. */
function widened<Row>(column: TableColumn<Row>): TableColumn<Row> {
	if (column.order === undefined) return column;
	return {...column, width: Math.max(column.width, textWidth(column.title) + 1)};
}

const marks = {up: safe`▲`, down: safe`▼`} as const;

/** The column titles, with the sorted column marked. */
export function tableHeading<Row>(columns: readonly TableColumn<Row>[]): Line {
	return columns.flatMap(({title, width, isNumber, order}, index) => {
		const words = order === undefined ? title : safe`${title}${marks[order]}`;
		return [
			span(index > 0 ? safe`  ` : safe``),
			span(pad(words, width, isNumber ? 'end' : 'start'), order === undefined ? 'dim' : 'strong'),
		];
	});
}

/** One row, with each cell exactly as wide as its column. */
export function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row): Line {
	return columns.flatMap(({width, cell}, index) => [
		span(index > 0 ? safe`  ` : safe``),
		...padLine(cell(row, width), width),
	]);
}

/** Picks the first variant that fits, fullest first, or the last one if none fits. */
export function firstFitting(variants: readonly Line[], width: number): Line {
	return variants.find(line => lineWidth(line) <= width) ?? variants.at(-1) ?? [];
}
