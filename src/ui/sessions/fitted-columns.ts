import type {OutboxItem} from '../../domain/messages/delivery.ts';
import {type SessionRow, sessionColumns} from '../../state/sessions/session-columns.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {columnsOnScreen, fitTable, isUsed, type TableColumn, widestTexts} from '../kit/columns.ts';
import {tagSpans} from '../panes/session-row.ts';
import type {NoteOf} from '../stream/delivery-note.ts';

/** The messages sent from the table and their notes, while their delivery is shown. */
type Delivery = {
	readonly of: (row: SessionRow) => OutboxItem | undefined;
	readonly noteOf: NoteOf;
	/** Columns of the widest note. */
	readonly widest: number;
};

/** The widest texts of all sessions, and the columns that none of them has anything in. */
export function measure(rows: readonly SessionRow[]) {
	const unused = sessionColumns.filter(column => !isUsed(column, rows)).map(({name}) => name);
	return {widest: widestTexts(sessionColumns, rows), unused};
}

/**
 * The columns of the sessions table that fit and aren't hidden, including the one that sorts it, and otherwise none
 * that is empty.
 */
export function fittedColumns(
	{widest, unused}: ReturnType<typeof measure>,
	context: {readonly width: number; readonly now: number; readonly drafted: ReadonlySet<string>},
	order: NonNullable<Parameters<typeof columnsOnScreen>[3]>,
	delivery?: Delivery,
): readonly TableColumn<SessionRow>[] {
	const used = sessionColumns.filter(({name}) => name === order.order || !unused.includes(name));
	const all = columnsOnScreen(used, widest, context, order);
	const fitted = fitTable(delivery ? all.toSpliced(2, 0, deliveryColumn(delivery)) : all, context.width);
	if (fitted.some(({name}) => name === 'tags') || order.hidden?.includes('tags')) return fitted;
	return fitted.map(column => (column.name === 'title' ? {...column, cell: withTags(column.cell)} : column));
}

function withTags(cell: TableColumn<SessionRow>['cell']): TableColumn<SessionRow>['cell'] {
	return (row, width) => {
		const title = cell(row, width);
		return [...title, ...tagSpans(row.item, width - lineWidth(title))];
	};
}

function deliveryColumn({of, noteOf, widest}: Delivery): TableColumn<SessionRow> {
	return {
		title: safe`DELIVERY`,
		width: 13,
		max: widest,
		rank: 0,
		growAfter: 1,
		cell(row, width) {
			const item = of(row);
			if (!item) return [span(safe`-`, 'dim')];
			const note = noteOf(item);
			return [{...note, text: cutEnd(note.text, width)}];
		},
	};
}
