import {pad} from '../../text/cut.ts';
import {type Line, padLine, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';

/** One column of a table in a pane. */
export type TableColumn<Row> = {
	readonly title: Safe;
	/** At least so many columns of the screen. */
	readonly width: number;
	/** May grow to this, when there is room; the first such column takes it. */
	readonly most?: number;
	readonly isNumber?: boolean;
	/** Stays as long as there is room for those that matter more: 0 matters most and is never left out. */
	readonly rank: number;
	/** What the table is ordered by: it is marked, and is never left out. */
	readonly order?: 'up' | 'down';
	readonly cell: (row: Row, width: number) => Line;
};

const gap = 2;

/** The columns that fit, in their order, at their widths. Those that matter least are left out first. */
export function fitTable<Row>(
	columns: readonly TableColumn<Row>[],
	width: number,
): readonly TableColumn<Row>[] {
	const byRank = columns
		.map(widened)
		.map((column, index) => ({column, index, rank: column.order ? 0 : column.rank}))
		.sort((a, b) => a.rank - b.rank || a.index - b.index);
	const kept = new Set<TableColumn<Row>>();
	let used = -gap;
	for (const {column, rank} of byRank) {
		if (rank > 0 && used + gap + column.width > width) break;
		kept.add(column);
		used += gap + column.width;
	}
	const fitting = byRank
		.filter(({column}) => kept.has(column))
		.sort((a, b) => a.index - b.index)
		.map(({column}) => column);
	const grown = fitting.findIndex(({most}) => most !== undefined);
	return fitting.map((column, index) =>
		index === grown
			? {
					...column,
					width: Math.max(4, Math.min(column.most ?? column.width, column.width + width - used)),
				}
			: column,
	);
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
