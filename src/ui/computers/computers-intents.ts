import {copyText} from '../../actions/copy-text.ts';
import {formatFilter} from '../../domain/list-filter/filter.ts';
import {computerNames, shortId} from '../../state/sessions/session-items.ts';
import {targets} from '../../state/view/targets.ts';
import {setView, type ViewStore, withComputers} from '../../state/view/view.ts';
import {type ComputersViewState, computerOrders, nextOf} from '../../state/view/view-states.ts';
import type {AppParts} from '../use-app.ts';
import {strings} from './strings.ts';

/** Intents of the keys that work only in the Computers view. */
export const computersIntents = {
	'read-computer': (parts: AppParts) => change(parts.view, () => ({pane: 'detail'})),
	'order-computers': (parts: AppParts) =>
		change(parts.view, ({order}) => ({order: nextOf(computerOrders, order), isReversed: false})),
	'reverse-computers': (parts: AppParts) => change(parts.view, ({isReversed}) => ({isReversed: !isReversed})),
	'filter-computers': (parts: AppParts) => setView(parts.view, view => ({...view, isFiltering: true})),
	'list-sessions'(parts: AppParts) {
		const {computerId = ''} = targets(parts.view.getState());
		const name = computerNames(parts.stores.fleet.getState().computers).get(computerId);
		const words = formatFilter([{kind: 'computer', value: name ?? shortId(computerId), isNot: false}]);
		setView(parts.view, view => ({...view, page: 'work', focus: 'lists', filter: words}));
	},
	'copy-computer-id'(parts: AppParts) {
		const {computerId} = targets(parts.view.getState());
		if (computerId !== undefined) void copyText(parts.actions, computerId, strings.copiedId);
	},
};

/** Moves the focus to the other pane. */
export function switchPane(view: ViewStore): void {
	change(view, ({pane}) => ({pane: pane === 'table' ? 'detail' : 'table'}));
}

/** Goes back one step: from the detail to the table, then clears the filter, then returns to Work. */
export function leaveComputers(view: ViewStore): void {
	setView(view, now => {
		const {pane, words} = now.computers;
		if (pane === 'detail') return withComputers(now, {pane: 'table'});
		return words === '' ? {...now, page: 'work'} : withComputers(now, {words: ''});
	});
}

function change(view: ViewStore, next: (viewState: ComputersViewState) => Partial<ComputersViewState>): void {
	setView(view, now => withComputers(now, next(now.computers)));
}
