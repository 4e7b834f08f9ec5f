import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {type BindingOf, bindingsIn, bindingsOf} from '../keys/binding.ts';
import {dialogsWhere} from '../keys/key-contexts.ts';

const typedLists = dialogsWhere(({takesText, list}) => takesText === true && list === true);
const letterLists = dialogsWhere(({takesText, list}) => !takesText && list === true);
const searched = ['filter', 'find', 'history', ...typedLists] as const;

const notInPalette = {isPaletteHidden: true} as const;
const listDown = {...notInPalette, action: 'list-down', title: 'Down'} as const;
const listUp = {...notInPalette, action: 'list-up', title: 'Up'} as const;
const pageDown = {...notInPalette, action: 'list-page-down', title: 'A page down'} as const;
const pageUp = {...notInPalette, action: 'list-page-up', title: 'A page up'} as const;
const top = {...notInPalette, action: 'list-top', title: 'To the top'} as const;
const bottom = {...notInPalette, action: 'list-bottom', title: 'To the end'} as const;

export const cancel = {
	...notInPalette,
	action: 'cancel',
	keys: ['escape'],
	isWayOut: true,
	run: parts => setView(parts.view, popDialog),
} as const satisfies Partial<BindingOf<string>>;

/**
 * Keys that dialogs share. Those that move and type are done by `listLayer` and `textAfterKey`. The way out is last:
 * the footer keeps this order.
 */
export const dialogBindings = bindingsOf([
	...bindingsIn({contexts: [...typedLists, 'filter']}, [
		{...listDown, keys: ['down', 'ctrl+n']},
		{...listUp, keys: ['up', 'ctrl+p']},
	]),
	...bindingsIn({contexts: letterLists}, [
		{...listDown, keys: ['down', 'j']},
		{...listUp, keys: ['up', 'k']},
	]),
	{...pageDown, keys: ['pagedown', 'ctrl+d'], contexts: [...typedLists, ...letterLists]},
	{...pageUp, keys: ['pageup'], contexts: typedLists},
	{...pageUp, keys: ['pageup', 'ctrl+u'], contexts: letterLists},
	{...top, keys: ['home'], contexts: typedLists},
	{...bottom, keys: ['end'], contexts: typedLists},
	{...top, keys: ['home', 'g'], contexts: letterLists},
	// A request is read in full before it can be allowed.
	{...bottom, keys: ['end', 'G'], contexts: letterLists.filter(context => context !== 'answer')},
	...bindingsIn({contexts: searched, isPaletteHidden: true}, [
		{action: 'erase', keys: ['backspace'], title: 'Delete the previous character'},
		{action: 'erase-word', keys: ['ctrl+w', 'alt+backspace'], title: 'Delete the previous word'},
		{action: 'erase-all', keys: ['ctrl+u'], title: 'Delete everything typed'},
	]),
	{...cancel, title: 'Cancel', hint: 'cancel', contexts: dialogsWhere(({wayOut}) => wayOut === 'Cancel')},
	{...cancel, title: 'Close', hint: 'close', contexts: dialogsWhere(({wayOut}) => wayOut === 'Close')},
]);
