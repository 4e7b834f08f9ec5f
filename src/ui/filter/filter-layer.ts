import type {FilterChoice} from '../../domain/list-filter/complete-filter.ts';
import {targets} from '../../state/view/targets.ts';
import {filterOf, setView, type View, withFilter} from '../../state/view/view.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsIn} from '../keys/binding.ts';
import {fieldText, textAfterKey} from '../kit/text-field.tsx';
import type {AppParts} from '../use-app.ts';

export const filterBindings = bindingsIn({contexts: ['filter'], isPaletteHidden: true}, [
	{
		action: 'complete-filter',
		keys: ['tab'],
		title: 'Complete the term',
		hint: 'complete',
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
		run: parts => setView(parts.view, withoutTypedFilter),
	},
]);

/** The cursor stays on its row; where nothing matched, it returns to the one before. */
function withoutTypedFilter(view: View): View {
	const {sessionId, computerId} = targets(view);
	const isOnRow = (sessionId ?? computerId) !== undefined;
	return withFilter({...view, ...(!isOnRow && view.beforeFilter), isFiltering: false}, '');
}

/** Keys of the filter: typing narrows the list immediately; `choices` complete it, if there are any. */
export function filterLayer(parts: AppParts, choices: () => readonly FilterChoice[]): KeyLayer {
	const {view} = parts;
	const change = (next: (filter: string) => string) =>
		setView(view, now => withFilter({...now, filterChoice: 0}, next(filterOf(now))));

	function choose(by: 1 | -1): void {
		const {length} = choices();
		if (length > 0) setView(view, now => ({...now, filterChoice: (now.filterChoice + by + length) % length}));
	}

	function complete(): void {
		const choice = choices()[view.getState().filterChoice];
		if (choice) change(() => choice.text);
	}

	return {
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['filter'], press.name)?.action;
			const words = textAfterKey(filterOf(view.getState()), press, action);
			if (words !== undefined) change(() => words);
			else if (action === 'complete-filter') complete();
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
