import {expect, test} from 'vitest';
import {popDialog, pushDialog, withTop} from '../../../../src/state/view/dialogs.ts';
import {
	createViewStore,
	filterOf,
	isExpanded,
	withAllExpanded,
	withExpanded,
	withFilter,
} from '../../../../src/state/view/view.ts';
import {views} from '../../../../src/state/view/view-states.ts';

const view = createViewStore().getState();

test('dialogs stack, and only the top one changes', () => {
	const help = {kind: 'help', query: '', top: 0} as const;
	const two = pushDialog(pushDialog(view, help), {kind: 'inbox'});
	expect(popDialog(two).dialogs).toEqual([help]);
	expect(withTop(two, {kind: 'inbox', id: 's'}).dialogs).toEqual([help, {kind: 'inbox', id: 's'}]);
});

test('messages expand one by one or all at once, and an item counts as expanded with any of its messages', () => {
	const one = withExpanded(view, ['m', 'n']);
	expect(isExpanded(one.expanded, ['m'])).toBe(true);
	expect(isExpanded(one.expanded, ['older', 'm', 'n'])).toBe(true);
	expect(isExpanded(withExpanded(one, ['older', 'm', 'n']).expanded, ['m'])).toBe(false);
	const all = withAllExpanded(one);
	expect(isExpanded(all.expanded, ['m'])).toBe(true);
	expect(isExpanded(withExpanded(all, ['m']).expanded, ['m'])).toBe(false);
	expect(isExpanded(withAllExpanded(all).expanded, ['m'])).toBe(false);
});

test('every view has its own filter', () => {
	let filtered = view;
	for (const {name} of views) filtered = withFilter({...filtered, page: name}, name);
	expect(views.map(({name}) => filterOf({...filtered, page: name}))).toEqual(views.map(({name}) => name));
});
