import type {Column, TableContext} from '../../state/rows/column.ts';
import {span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {columnsOnScreen, fitTable, tableHeading, tableRow, type WidestTexts} from '../kit/columns.ts';
import type {Page} from './page.ts';

/** A page that lists rows in the columns that fit. `empty` says why there are none. */
export function listPage<Row, Context extends TableContext>({
	columns,
	context,
	widest,
	rows,
	idOf,
	empty,
	...page
}: Pick<Page, 'title' | 'head' | 'data'> & {
	readonly columns: readonly Column<Row, Context>[];
	readonly context: Context;
	readonly widest: WidestTexts;
	readonly rows: readonly Row[];
	readonly idOf: (row: Row) => string | undefined;
	readonly empty: Safe;
}) {
	const fitted = fitTable(columnsOnScreen(columns, widest, context), context.width);
	return {
		...page,
		heading: tableHeading(fitted),
		count: rows.length,
		idOf: (index: number) => rows[index] && idOf(rows[index]),
		row: (index: number) => tableRow(fitted, rows[index] as Row),
		empty: [[span(empty, 'dim')]],
	} satisfies Page;
}
