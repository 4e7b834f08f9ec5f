import {expect, test} from 'vitest';
import {popDialog, pushDialog, withTop} from '../../../src/state/dialogs.ts';
import {createViewStore, withExpanded} from '../../../src/state/view.ts';
import {filterOf, withFilter} from '../../../src/state/view-filter.ts';
import {views} from '../../../src/state/views.ts';

const view = createViewStore().getState();

test('dialogs stack, and the top one alone is changed', () => {
	const help = {kind: 'help', query: '', top: 0} as const;
	const two = pushDialog(pushDialog(view, help), {kind: 'inbox'});
	expect(popDialog(two).dialogs).toEqual([help]);
	expect(withTop(two, {kind: 'inbox', id: 's'}).dialogs).toEqual([help, {kind: 'inbox', id: 's'}]);
});

test('folds toggle', () => {
	expect([...withExpanded(view, 'm').expanded]).toEqual(['m']);
	expect([...withExpanded(withExpanded(view, 'm'), 'm').expanded]).toEqual([]);
});

test('every view has a filter of its own', () => {
	let filtered = view;
	for (const {name} of views) filtered = withFilter({...filtered, page: name}, name);
	expect(views.map(({name}) => filterOf({...filtered, page: name}))).toEqual(views.map(({name}) => name));
});
