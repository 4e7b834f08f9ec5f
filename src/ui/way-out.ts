import {isFinding, isWriting, type View} from '../state/view/view.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import type {ActionName} from './keys/binding.ts';
import type {KeyMap} from './keys/key-map.ts';

/** The label of the key to press before the keys of the view, where those would type text. */
export function wayOutKey(view: View, keys: KeyMap): Safe | undefined {
	const wayOut = wayOutOf(view);
	return wayOut && keys.label(wayOut);
}

/** The key of an action of the view, after the one to press before it, if any. */
export function keysAfter(view: View, keys: KeyMap, action: ActionName): Safe {
	const wayOut = wayOutKey(view, keys);
	return wayOut === undefined ? keys.label(action) : safe`${wayOut}, then ${keys.label(action)}`;
}

function wayOutOf(view: View): ActionName | undefined {
	if (isWriting(view)) return 'leave';
	// Not the key that clears it: its words would be lost.
	if (view.isFiltering) return 'keep-filter';
	return isFinding(view) ? 'clear-find' : undefined;
}
