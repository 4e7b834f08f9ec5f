import {isOpen} from '../state/view/completion.ts';
import {newSessionDraft} from '../state/view/dialogs.ts';
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

const readDialogs: readonly string[] = ['away', 'help', 'hooks', 'inbox', 'links', 'palette', 'search'];

/** The label of the key that leads from the dialog straight to the keys of the view, if there is one. */
export function dialogWayOutKey(view: View, keys: KeyMap): Safe | undefined {
	const [dialog] = view.dialogs;
	if (!dialog || view.dialogs.length > 1 || wayOutOf(view) !== undefined) return undefined;
	if (dialog.kind === 'new-session') {
		const isCompleting = view.completion && isOpen(view.completion, newSessionDraft);
		return isCompleting ? undefined : keys.label('keep-draft');
	}
	return readDialogs.includes(dialog.kind) ? keys.label('cancel') : undefined;
}
