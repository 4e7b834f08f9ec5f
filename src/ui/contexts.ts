import {isOpen} from '../state/view/completion.ts';
import {targets} from '../state/view/targets.ts';
import type {View} from '../state/view/view.ts';
import {writingContexts} from './composer/composer-bindings.ts';
import type {KeyContext} from './keys/key-contexts.ts';
import {pageOf} from './pages.ts';

/** The key contexts of the current focus. */
export function contextsOf(view: View, isConnected: boolean): readonly KeyContext[] {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'new-session' && isOpen(view.completion, targets(view).sessionId))
		return writingContexts(view);
	if (dialog) return [dialog.kind];
	if (view.isFiltering) return ['filter'];
	if (!isConnected) return ['welcome'];
	return pageOf(view).contexts(view);
}
