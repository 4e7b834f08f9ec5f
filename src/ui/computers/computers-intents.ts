import {copyText} from '../../actions/copy-text.ts';
import {formatFilter} from '../../domain/list-filter/filter.ts';
import {type ComputersReading, computerOrders, nextOrder} from '../../state/reading.ts';
import {shortId} from '../../state/session-items.ts';
import {targets} from '../../state/targets.ts';
import {withComputers} from '../../state/view.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {strings} from './strings.ts';

/** Intents of the keys that work only in the Computers view. */
export const computersIntents = {
	'read-computer': (parts: AppParts) => change(parts, () => ({pane: 'detail'})),
	'order-computers': (parts: AppParts) =>
		change(parts, ({order}) => ({order: nextOrder(computerOrders, order), isReversed: false})),
	'reverse-computers': (parts: AppParts) => change(parts, ({isReversed}) => ({isReversed: !isReversed})),
	'filter-computers': (parts: AppParts) => setView(parts.view, view => ({...view, isFiltering: true})),
	'list-sessions'(parts: AppParts) {
		const {computerId = ''} = targets(parts.view.getState());
		const name = parts.stores.fleet.getState().computers.get(computerId)?.computer?.name;
		const words = formatFilter([{kind: 'computer', value: name || shortId(computerId), isNot: false}]);
		setView(parts.view, view => ({...view, page: 'work', focus: 'lists', filter: words}));
	},
	'copy-computer-id'(parts: AppParts) {
		const {computerId} = targets(parts.view.getState());
		if (computerId !== undefined) void copyText(parts.actions, computerId, strings.copiedId);
	},
};

/** Moves the focus to the other pane. */
export function switchPane(parts: AppParts): void {
	change(parts, ({pane}) => ({pane: pane === 'table' ? 'detail' : 'table'}));
}

/** Goes back one step: from the detail to the table, then clears the filter, then returns to Work. */
export function leaveComputers(parts: AppParts): void {
	setView(parts.view, view => {
		const {pane, words} = view.computers;
		if (pane === 'detail') return withComputers(view, {pane: 'table'});
		return words === '' ? {...view, page: 'work'} : withComputers(view, {words: ''});
	});
}

function change(parts: AppParts, next: (reading: ComputersReading) => Partial<ComputersReading>): void {
	setView(parts.view, view => withComputers(view, next(view.computers)));
}
