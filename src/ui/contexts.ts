import {isOpen} from '../state/view/completion.ts';
import {isOnComputer} from '../state/view/cursor.ts';
import {targets} from '../state/view/targets.ts';
import {isWriting, type View} from '../state/view/view.ts';
import {writingContexts} from './composer/composer-bindings.ts';
import type {KeyContext} from './keys/key-contexts.ts';
import {organizationContexts} from './organization/organization-bindings.ts';
import {streamContexts} from './stream/stream-bindings.ts';

/** The key contexts of the current focus. */
export function contextsOf(view: View, isConnected: boolean): readonly KeyContext[] {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'new-session' && isOpen(view.completion, targets(view).sessionId))
		return writingContexts(view);
	if (dialog) return [dialog.kind];
	if (view.isFiltering) return ['filter'];
	if (!isConnected) return ['welcome'];
	if (view.page === 'sessions') return isWriting(view) ? writingContexts(view) : ['session-table'];
	if (view.page === 'computers')
		return [view.computers.pane === 'table' ? 'computers' : 'computer', 'computer-table'];
	if (view.page === 'events') return ['events'];
	if (view.page !== 'work') return organizationContexts(view);
	if (view.focus === 'composer') return writingContexts(view);
	if (view.focus === 'main') return view.shown?.kind === 'computer' ? ['computer'] : streamContexts(view);
	if (view.cursor?.group !== undefined) return ['heading', 'sessions', 'lists'];
	return [view.cursor && isOnComputer(view.cursor) ? 'computers' : 'sessions', 'lists'];
}
