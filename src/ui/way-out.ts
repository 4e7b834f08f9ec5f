import type {ActionName} from '../keys/bindings.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {isFinding, isWriting, type View} from '../state/view.ts';
import type {Safe} from '../text/cells/safe.ts';

/** The label of the key to press before the keys of the view, where those would type text. */
export function wayOutKey(view: View, keys: Pick<KeyMap, 'label'>): Safe | undefined {
	const wayOut = wayOutOf(view);
	return wayOut && keys.label(wayOut);
}

function wayOutOf(view: View): ActionName | undefined {
	if (isWriting(view)) return 'leave';
	if (view.isFiltering) return 'clear-filter';
	return isFinding(view) ? 'clear-find' : undefined;
}
