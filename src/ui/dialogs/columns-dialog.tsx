import {computerColumns} from '../../state/computers/computer-columns.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {peopleColumns} from '../../state/organization/people-columns.ts';
import {repositoryColumns} from '../../state/organization/readiness-columns.ts';
import {userColumns} from '../../state/organization/user-columns.ts';
import {type Column, titleOf} from '../../state/rows/column.ts';
import type {TableOrder} from '../../state/rows/table-rows.ts';
import {sessionColumns, sessionRow} from '../../state/sessions/session-columns.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {
	setView,
	type View,
	withColumnToggled,
	withComputers,
	withOrganization,
	withSessions,
} from '../../state/view/view.ts';
import type {TableName} from '../../state/view/view-states.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {type BindingOf, bindingsIn} from '../keys/binding.ts';
import {isUsed, orderMarks} from '../kit/columns.ts';
import type {AppParts} from '../use-app.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

type AnyColumn = Column<never, never>;

type Table = {
	readonly columns: (lists: Lists, order: string) => readonly AnyColumn[];
	readonly orderOf: (view: View) => TableOrder;
	readonly withOrder: (view: View, order: TableOrder) => View;
	/** Numbers begin with the largest only in reverse. */
	readonly reversesNumbers?: true;
};

const ofOrganization = (name: 'people' | 'users' | 'readiness', columns: readonly AnyColumn[]): Table => ({
	columns: () => columns,
	orderOf: ({organization}) => organization[name],
	withOrder: (view, order) => withOrganization(view, {[name]: {...view.organization[name], ...order}}),
	reversesNumbers: true,
});

const tables: Readonly<Record<TableName, Table>> = {
	sessions: {
		columns({all}, order) {
			const rows = all.sessions.map(sessionRow);
			// The table leaves out the others, too.
			return sessionColumns.filter(
				column => rows.length === 0 || column.name === order || isUsed(column, rows),
			);
		},
		orderOf: ({sessions}) => sessions,
		withOrder: withSessions,
	},
	computers: {
		columns: () => computerColumns,
		orderOf: ({computers}) => computers,
		withOrder: withComputers,
	},
	people: ofOrganization('people', peopleColumns),
	users: ofOrganization('users', userColumns),
	readiness: ofOrganization('readiness', repositoryColumns),
};

/** The columns of a table: Enter orders the table by one or reverses it, Space hides and shows one. */
export const columnsDialog: ListModule<'columns', AnyColumn> = listDialog({
	kind: 'columns',
	choose: 'order-by',
	hasMark: true,
	rows({table: name}, lists, {view}) {
		const table = tables[name];
		return table.columns(lists, table.orderOf(view.getState()).order).filter(({size}) => size);
	},
	lines:
		(_, __, {view, screen}) =>
		column => {
			const now = view.getState();
			const dialog = now.dialogs.at(-1);
			if (dialog?.kind !== 'columns') return [];
			const {order, isReversed} = tables[dialog.table].orderOf(now);
			const isHidden = now.hiddenColumns[dialog.table]?.includes(column.name);
			const hasRoom = screen.columns?.some(({name}) => name === column.name) !== false;
			return [
				span(titleOf(column), isHidden || !hasRoom ? 'dim' : 'strong'),
				...(column.name === order ? [span(safe` ${orderMarks[isReversed ? 'down' : 'up']}`, 'accent')] : []),
				...(isHidden ? [span(safe`  hidden`, 'dim')] : hasRoom ? [] : [span(safe`  no room here`, 'dim')]),
			];
		},
	title: () => [span(safe`Columns`, 'heading')],
	cursor: {
		indexOf: ({column}, columns) => columns.findIndex(({name}) => name === column),
		on: (dialog, column) => ({...dialog, column: column?.name ?? dialog.column}),
	},
});

/** The key of a table that opens its columns. */
export const choosesColumns = {
	action: 'columns',
	title: 'Columns: which one orders the table, and which are hidden',
	findBy: 'sort reverse show',
	hint: 'columns',
} as const satisfies Partial<BindingOf<string>>;

export function openColumns({view}: AppParts, table: TableName): void {
	const {order: column} = tables[table].orderOf(view.getState());
	setView(view, now => pushDialog(now, {kind: 'columns', table, column}));
}

export const columnBindings = bindingsIn({contexts: ['columns'], isPaletteHidden: true}, [
	{
		action: 'order-by',
		keys: ['enter'],
		title: 'Order the table by the column; reverse the order if it does already',
		hint: 'order',
		run: columnsDialog.onRow(({view}, {name: order, isNumber = false}, {table: name}) =>
			setView(view, now => {
				const table = tables[name];
				const before = table.orderOf(now);
				const isReversed = order === before.order ? !before.isReversed : isNumber && table.reversesNumbers;
				return popDialog(table.withOrder(now, {order, isReversed: isReversed === true}));
			}),
		),
	},
	{
		action: 'hide-column',
		keys: ['space'],
		title: 'Hide the column, or show it again',
		hint: 'hide or show',
		run: columnsDialog.onRow(({view}, {name}, {table}) =>
			setView(view, now => withColumnToggled(now, table, name)),
		),
	},
]);
