import type {ComputersReading} from '../../state/computers-reading.ts';
import {type Layout, leftWidth, type Rect, topHeight} from '../layout.ts';

/**
 * Rectangles of the Computers view: the table and, beside or below it, the selected computer's detail; or
 * only one of the two.
 */
export type ComputersLayout = {readonly table?: Rect; readonly detail?: Rect};

const besideFrom = 100;
const detailWidth = {share: 0.38, min: 46, max: 66} as const;
/** Smallest screen on which the detail fits below the table. */
const underFrom = {columns: 60, rows: 20} as const;
const tableShare = 0.42;
const tableMin = 7;

/** Lays out the Computers view. A `pane` of `empty` means no computer is selected. */
export function computersLayout(
	{columns, rows}: Pick<Layout, 'columns' | 'rows'>,
	pane: ComputersReading['pane'] | 'empty',
	share?: number,
	heightShare?: number,
): ComputersLayout {
	const body = {x: 0, y: 1, width: columns, height: rows - 2};
	if (pane === 'empty') return {table: body};
	if (columns >= besideFrom) {
		const {min, max} = detailWidth;
		const usual = columns - Math.max(min, Math.min(max, Math.round(columns * detailWidth.share)));
		const left = leftWidth(columns, share) ?? usual;
		const width = columns - left;
		return {
			table: {...body, width: columns - width},
			detail: {...body, x: columns - width, width},
		};
	}
	if (columns >= underFrom.columns && rows >= underFrom.rows) {
		const height =
			topHeight(body.height, heightShare) ?? Math.max(tableMin, Math.round(body.height * tableShare));
		return {
			table: {...body, height},
			detail: {...body, y: body.y + height, height: body.height - height},
		};
	}
	return pane === 'table' ? {table: body} : {detail: body};
}
