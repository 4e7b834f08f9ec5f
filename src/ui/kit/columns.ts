import {pad} from '../../text/cut.ts';
import {type Line, padLine, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

/** One column of a table in a pane. */
export type TableColumn<Row> = {
	readonly title: Safe;
	/** At least so many columns of the screen. */
	readonly width: number;
	/** May grow to this, when there is room; before columns that matter less than `growthRank`, else after all. */
	readonly max?: number;
	readonly growthRank?: number;
	readonly isNumber?: boolean;
	/** Stays as long as there is room for those that matter more: 0 matters most and is never left out. */
	readonly rank: number;
	/** What the table is ordered by: it is marked, and is never left out. */
	readonly order?: 'up' | 'down';
	readonly cell: (row: Row, width: number) => Line;
};

const gap = 2;

/**
 * The columns that fit, in their order, at their widths. Those that matter least are left out first, and then what room
 * is left goes to those that may grow, to those that matter most first.
 */
export function fitTable<Row>(
	columns: readonly TableColumn<Row>[],
	width: number,
): readonly TableColumn<Row>[] {
	const all = columns.map(widened);
	const widths = new Map<TableColumn<Row>, number>();
	let room = width + gap;
	let isFull = false;
	for (const {column, isGrowth} of claims(all)) {
		const own = widths.get(column);
		if (!isGrowth) {
			isFull ||= !isFirm(column) && gap + column.width > room;
			if (isFull) continue;
			widths.set(column, column.width);
			room -= gap + column.width;
		} else if (own !== undefined) {
			// What can't be left out may need more than there is: who may grow first gives way first.
			const grown = Math.max(
				Math.min(own, growingLeast),
				Math.min(Math.max(own, column.max ?? 0), own + room),
			);
			widths.set(column, grown);
			room -= grown - own;
		}
	}
	return all.flatMap(column => {
		const own = widths.get(column);
		return own === undefined ? [] : [{...column, width: own}];
	});
}

/** Columns that are left of one that gives way. */
const growingLeast = 4;

const isFirm = ({rank, order}: TableColumn<never>) => rank === 0 || order !== undefined;

/** Who asks for room, the most important first: each column for itself, and those that may grow once more. */
function claims<Row>(columns: readonly TableColumn<Row>[]) {
	const last = Math.max(...columns.map(({rank}) => rank)) + 1;
	const own = columns.map(column => ({column, isGrowth: false, rank: isFirm(column) ? 0 : column.rank}));
	const growing = columns.flatMap(column =>
		column.max === undefined ? [] : [{column, isGrowth: true, rank: column.growthRank ?? last + column.rank}],
	);
	return [...own, ...growing].sort((a, b) => a.rank - b.rank);
}

/** Room for the mark beside the title of the one that the table is ordered by. */
function widened<Row>(column: TableColumn<Row>): TableColumn<Row> {
	if (column.order === undefined) return column;
	return {...column, width: Math.max(column.width, textWidth(column.title) + 1)};
}

const marks = {up: safe`▲`, down: safe`▼`} as const;

/** Titles of the columns; the one the table is ordered by is marked. */
export function tableHeading<Row>(columns: readonly TableColumn<Row>[]): Line {
	return columns.flatMap(({title, width, isNumber, order}, index) => {
		const words = order === undefined ? title : safe`${title}${marks[order]}`;
		return [
			span(index > 0 ? safe`  ` : safe``),
			span(pad(words, width, isNumber ? 'end' : 'start'), order === undefined ? 'dim' : 'strong'),
		];
	});
}

/** One row: every cell exactly as wide as its column. */
export function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row): Line {
	return columns.flatMap(({width, cell}, index) => [
		span(index > 0 ? safe`  ` : safe``),
		...padLine(cell(row, width), width),
	]);
}
