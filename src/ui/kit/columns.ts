import {pad} from '../../text/cut.ts';
import {type Line, padLine, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

/** One column of a table in a pane. */
export type TableColumn<Row> = {
	readonly title: Safe;
	/** At least so many columns of the screen. */
	readonly width: number;
	/**
	 * May grow to this, when there is room; before columns that matter less than `growthRank`, else after all. Columns of
	 * the same `growthRank` share the room.
	 */
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
	for (const {group, isGrowth} of claims(all)) {
		for (const column of isGrowth ? [] : group) {
			isFull ||= !isFirm(column) && gap + column.width > room;
			if (isFull) continue;
			widths.set(column, column.width);
			room -= gap + column.width;
		}
		const growing = isGrowth ? group.filter(column => widths.has(column)) : [];
		// Who wants least is served first: what it leaves of its part goes to the others.
		for (const [index, column] of growing.sort((a, b) => lacking(a) - lacking(b)).entries()) {
			const part = Math.floor(room / (growing.length - index));
			// What can't be left out may need more than there is: who may grow first gives way first.
			const least = Math.min(column.width, growingLeast);
			const grown = Math.max(least, column.width + Math.min(lacking(column), part));
			widths.set(column, grown);
			room -= grown - column.width;
		}
	}
	return all.flatMap(column => {
		const own = widths.get(column);
		return own === undefined ? [] : [{...column, width: own}];
	});
}

/** Columns that are left of one that gives way. */
const growingLeast = 4;

const lacking = ({width, max = 0}: TableColumn<never>) => Math.max(0, max - width);

const isFirm = ({rank, order}: TableColumn<never>) => rank === 0 || order !== undefined;

/** Who asks for room, the most important first: each column for itself, and those that may grow once more. */
function claims<Row>(columns: readonly TableColumn<Row>[]) {
	const last = Math.max(...columns.map(({rank}) => rank)) + 1;
	const own = columns.map(column => ({
		group: [column],
		isGrowth: false,
		rank: isFirm(column) ? 0 : column.rank,
	}));
	const growing = Map.groupBy(
		columns.filter(({max}) => max !== undefined),
		({growthRank, rank}) => growthRank ?? last + rank,
	);
	const growths = [...growing].map(([rank, group]) => ({group, isGrowth: true, rank}));
	return [...own, ...growths].sort((a, b) => a.rank - b.rank);
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
