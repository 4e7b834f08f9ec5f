import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists.ts';
import {filterOf, withFilter} from '../../state/view-filter.ts';
import {textAfterKey} from '../kit/text-after-key.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {filterChoices} from './filter-choices.ts';

/** Keys of the filter: typing narrows the list immediately; completions can be accepted if there are any. */
export function filterLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	const {view} = parts;
	const change = (next: (filter: string) => string) =>
		setView(view, now => withFilter({...now, filterChoice: 0}, next(filterOf(now))));

	function choose(by: 1 | -1): void {
		const {length} = filterChoices(parts, view.getState(), lists());
		if (length > 0) setView(view, now => ({...now, filterChoice: (now.filterChoice + by + length) % length}));
	}

	function complete(): void {
		const choice = filterChoices(parts, view.getState(), lists())[view.getState().filterChoice];
		if (choice) change(() => choice.text);
	}

	return {
		name: 'filter',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['filter'], press.name)?.action;
			if (action === 'keep-filter') setView(view, now => ({...now, isFiltering: false}));
			else if (action === 'clear-filter') setView(view, now => withFilter({...now, isFiltering: false}, ''));
			else if (action === 'complete-filter') complete();
			else if (action === 'list-down') choose(1);
			else if (action === 'list-up') choose(-1);
			else change(filter => textAfterKey(filter, press, action) ?? filter);
			return 'consumed';
		},
		paste(text) {
			change(filter => filter + fieldText(text));
			return 'consumed';
		},
	};
}
