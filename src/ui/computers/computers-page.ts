import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import {computerColumns} from '../../state/computers/computer-columns.ts';
import {computersFilter} from '../../state/computers/computer-rows.ts';
import {fieldsOf} from '../../state/rows/column.ts';
import {filterOf} from '../../state/view/view.ts';
import type {ScreenPage} from '../screen-page.ts';
import {leaveComputers, switchPane} from './computer-bindings.ts';
import {computersNow} from './computers-now.ts';
import {ComputersView} from './computers-view.tsx';
import {scrollComputers} from './scroll-computers.ts';

export const computersPage: ScreenPage = {
	Component: ComputersView,
	contexts: ({computers}) => [computers.pane === 'table' ? 'computers' : 'computer', 'computer-table'],
	scroll: scrollComputers,
	back: ({view}) => leaveComputers(view),
	nextPane: ({view}) => switchPane(view),
	beforeDivider(parts, view, lists, layout) {
		const {table, detail} = computersNow(parts, view, lists, layout);
		return detail && table;
	},
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const rows = all.computers.map(item => ({row: filterables.computer(item)}));
			return completeFilter(filterOf(view), rows, false, fieldsOf(computerColumns));
		},
		problems: (view, {all}) => (view.isFiltering ? computersFilter(all, filterOf(view)).problems : []),
	},
	computer(_, {tableCursors: {computers: id}, computers: {pane}}) {
		return id === undefined ? undefined : {id, isFocused: pane === 'detail'};
	},
};
