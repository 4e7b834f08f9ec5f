import {useRef} from 'react';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {useApp} from '../use-app.ts';
import {type TableColumn, tableHeading, tableRow} from './columns.ts';
import {cursorMark, emptyRows, Pane, type Row} from './pane.tsx';
import {listTop} from './scroll.ts';

/** Columns of a table pane that its rows can't use: borders, the cursor's mark and a free column. */
export const tableChrome = 4;
export const marksWidth = 2;

/** Rows that a table of this height shows, below its border and titles. */
export function tableRows({height}: Rect): number {
	return Math.max(0, height - 3);
}

/** The rows in view, moved as little as possible so that the cursor's row is visible. */
type TableWindow<Item> = {readonly top: number; readonly visible: readonly Item[]};

export function useTableWindow<Item>(
	rows: readonly Item[],
	cursor: number,
	height: number,
): TableWindow<Item> {
	const top = useRef(0);
	top.current = listTop(top.current, cursor, height, rows.length);
	return {top: top.current, visible: rows.slice(top.current, top.current + height)};
}

type Props<Item> = {
	readonly rect: Rect;
	readonly title: Line;
	readonly right: Line;
	readonly bottom: Line;
	readonly isFocused: boolean;
	readonly columns: readonly TableColumn<Item>[];
	readonly window: TableWindow<Item>;
	readonly cursor: number;
	readonly isMarked?: (item: Item) => boolean;
	/** Shown instead of titles and rows when there are no rows. */
	readonly empty: readonly Line[];
	/** `undefined`: the pane was pressed outside its rows. */
	readonly onPick: (index: number | undefined, isDouble: boolean) => void;
	readonly onWheel: (rows: number) => void;
};

/** A table in a pane: column titles, and a row for each visible item with the cursor's marked. */
export function TablePane<Item>(props: Props<Item>) {
	const {rect, title, right, bottom, isFocused, columns, window, cursor, isMarked, empty, onPick, onWheel} =
		props;
	const {top, visible} = window;
	// Before the dialog of the columns is drawn, which lies over it.
	useApp().screen.columns = columns;
	useRowsZone({rect, above: 2, top, shown: visible.length, pick: onPick, wheel: onWheel});
	const rows = visible.map((item, index): Row => {
		const isCursor = top + index === cursor;
		const mark = isMarked && (isMarked(item) ? span(safe`*`, 'accent', {bold: true}) : span(safe` `));
		return {
			line: [
				cursorMark(isCursor, isFocused),
				...(mark ? [mark, span(safe` `)] : []),
				...tableRow(columns, item),
			],
			isSelected: isCursor && isFocused,
		};
	});
	const body: readonly Row[] =
		visible.length === 0
			? emptyRows(empty)
			: [{line: [span(isMarked ? safe`   ` : safe` `), ...tableHeading(columns)]}, ...rows];
	return <Pane rect={rect} title={title} right={right} bottom={bottom} isFocused={isFocused} body={body} />;
}
