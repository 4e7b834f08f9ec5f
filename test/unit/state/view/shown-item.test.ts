import {expect, test} from 'vitest';
import {withCursor, withOpened, withoutShown} from '../../../../src/state/view/shown-item.ts';
import {createViewStore} from '../../../../src/state/view/view.ts';

const view = createViewStore().getState();

test('moving the cursor shows a computer at once, and the open session again when it goes back', () => {
	const open = withOpened(view, {kind: 'session', id: 's'}, 'main');
	const onComputer = withCursor(open, {section: 'computers', id: 'c'});
	expect(onComputer.shown).toEqual({kind: 'computer', id: 'c'});
	expect(withCursor(onComputer, {section: 'sessions', id: 'other'}).shown).toEqual({
		kind: 'session',
		id: 's',
	});
});

test('with no session open, leaving the computers shows nothing', () => {
	const onComputer = withCursor(view, {section: 'computers', id: 'c'});
	expect(withCursor(onComputer, {section: 'sessions', id: 's'}).shown).toBeUndefined();
});

test('a forgotten session leaves the main area, and focus returns to the lists', () => {
	const open = withOpened(view, {kind: 'session', id: 's'}, 'composer');
	expect(withoutShown(open, 's')).toMatchObject({focus: 'lists'});
	expect(withoutShown(open, 's').shown).toBeUndefined();
	expect(withoutShown(open, 'x')).toMatchObject({focus: 'composer', shown: {id: 's'}, lastSession: 's'});
});
