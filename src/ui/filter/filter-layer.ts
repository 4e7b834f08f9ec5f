import {completeFilter, type FilterChoice} from '../../domain/list-filter/complete-filter.ts';
import type {FilterProblem} from '../../domain/list-filter/filter.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {computerColumns} from '../../state/computers/computer-columns.ts';
import {computersFilter} from '../../state/computers/computer-rows.ts';
import {listFields} from '../../state/lists/list-filtering.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {isWaiting} from '../../state/lists/needs-items.ts';
import {fieldsOf} from '../../state/rows/column.ts';
import {sessionColumns} from '../../state/sessions/session-columns.ts';
import {sessionsFilter} from '../../state/sessions/session-table.ts';
import {filterOf, setView, type View, type ViewStore, withFilter} from '../../state/view/view.ts';
import {bindingsIn} from '../keys/binding.ts';
import {fieldText, textAfterKey} from '../kit/text-field.tsx';
import type {AppParts, Parts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';

export const filterBindings = bindingsIn({contexts: ['filter'], isPaletteHidden: true}, [
	{
		action: 'complete-filter',
		keys: ['tab'],
		title: 'Complete the term',
		hint: 'complete',
		run(parts, lists) {
			const view = parts.view.getState();
			const choice = filterChoices(parts, view, lists)[view.filterChoice];
			if (choice) changeFilter(parts.view, () => choice.text);
		},
	},
	{
		action: 'keep-filter',
		keys: ['enter'],
		title: 'Keep the filter',
		hint: 'keep',
		run: parts => setView(parts.view, now => ({...now, isFiltering: false})),
	},
	{
		action: 'clear-filter',
		keys: ['escape'],
		title: 'Clear the filter',
		hint: 'clear',
		isWayOut: true,
		run: parts => setView(parts.view, now => withFilter({...now, isFiltering: false}, '')),
	},
]);

function changeFilter(view: ViewStore, next: (filter: string) => string): void {
	setView(view, now => withFilter({...now, filterChoice: 0}, next(filterOf(now))));
}

/** Keys of the filter: typing narrows the list immediately; completions can be accepted if there are any. */
export function filterLayer(parts: AppParts): KeyLayer {
	const {view} = parts;
	const change = (next: (filter: string) => string) => changeFilter(view, next);

	function choose(by: 1 | -1): void {
		const {length} = filterChoices(parts, view.getState(), listsNow(parts));
		if (length > 0) setView(view, now => ({...now, filterChoice: (now.filterChoice + by + length) % length}));
	}

	return {
		name: 'filter',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['filter'], press.name)?.action;
			const words = textAfterKey(filterOf(view.getState()), press, action);
			if (words !== undefined) change(() => words);
			else if (action === 'list-down') choose(1);
			else if (action === 'list-up') choose(-1);
			else parts.input.handleKey(parts, press, ['filter']);
			return 'consumed';
		},
		paste(text) {
			change(filter => filter + fieldText(text));
			return 'consumed';
		},
	};
}

type FilteredView = Pick<View, 'page' | 'filter' | 'sessions' | 'computers' | 'needsOnly' | 'showsArchived'>;

/** Completions for the lists' filter; none for the filters of other views, which take plain words only. */
export function filterChoices(
	{listBuilder: {filterables}}: Parts<'listBuilder'>,
	view: FilteredView,
	{all}: Pick<Lists, 'all'>,
): FilterChoice[] {
	const {page, showsArchived} = view;
	const sessions = () =>
		all.sessions.map(item => ({item, row: filterables.session(item), isPast: item.isPast}));
	const computers = () => all.computers.map(item => ({item, row: filterables.computer(item)}));
	if (page === 'work') {
		const rows = [...sessions(), ...computers()].filter(({item}) => !view.needsOnly || isWaiting(item));
		return completeFilter(view.filter, rows, showsArchived, listFields);
	}
	if (page === 'sessions')
		return completeFilter(view.sessions.words, sessions(), showsArchived, fieldsOf(sessionColumns));
	return page === 'computers'
		? completeFilter(view.computers.words, computers(), false, fieldsOf(computerColumns))
		: [];
}

/** Problems in the filter being typed. */
export function filterProblems(
	{page, isFiltering, sessions, computers}: Pick<View, 'page' | 'isFiltering' | 'sessions' | 'computers'>,
	{all, problems}: Pick<Lists, 'all' | 'problems'>,
): readonly FilterProblem[] {
	if (page === 'work') return problems;
	if (!isFiltering) return [];
	if (page === 'sessions') return sessionsFilter(all, sessions.words).problems;
	return page === 'computers' ? computersFilter(all, computers.words).problems : [];
}
