import type {OrganizationViewState} from '../state/organization/organization-view-state.ts';
import {isOpen} from '../state/view/completion.ts';
import {isOnComputer} from '../state/view/cursor.ts';
import {targets} from '../state/view/targets.ts';
import {isWriting, type View} from '../state/view/view.ts';
import type {ViewName} from '../state/view/views.ts';
import type {KeyContext} from './keys/key-contexts.ts';

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
	if (view.page !== 'work') return organizationContexts(view.page, view.organization);
	if (view.focus === 'composer') return writingContexts(view);
	if (view.focus === 'main') return view.shown?.kind === 'computer' ? ['computer'] : streamContexts(view);
	if (view.cursor?.group !== undefined) return ['heading', 'sessions', 'lists'];
	return [view.cursor && isOnComputer(view.cursor) ? 'computers' : 'sessions', 'lists'];
}

function writingContexts(view: View): readonly KeyContext[] {
	if (!isOpen(view.completion, targets(view).sessionId)) return ['composer'];
	return [view.completion?.kind === 'prompts' ? 'prompts' : 'suggestions'];
}

function organizationContexts(
	page: ViewName,
	{tab, group, opened, showsCriteria}: OrganizationViewState,
): readonly KeyContext[] {
	const isOpen = opened[page] !== undefined;
	if (page === 'users')
		return isOpen ? ['users', 'organization'] : ['people', 'opening', 'pages', 'users', 'organization'];
	if (page === 'readiness') {
		if (!isOpen) return ['readiness', 'opening', 'pages', 'organization'];
		return showsCriteria ? ['organization'] : ['report', 'organization'];
	}
	if (page === 'controls')
		return isOpen ? ['controls', 'organization'] : ['controls', 'opening', 'pages', 'organization'];
	if (page !== 'usage') return isOpen ? ['organization'] : ['opening', 'pages', 'organization'];
	if (tab !== 'people' || isOpen) return ['usage', 'organization'];
	return group === 'active' || group === 'unlisted'
		? ['people', 'opening', 'pages', 'usage', 'organization']
		: ['people', 'pages', 'usage', 'organization'];
}

function streamContexts({shown, find, mark}: View): readonly KeyContext[] {
	if (find?.sessionId === shown?.id && find?.isTyping) return ['find'];
	const hasFind = find !== undefined && find.sessionId === shown?.id;
	const isMarking = mark !== undefined && mark.sessionId === shown?.id;
	return [...(isMarking ? (['marking'] as const) : []), ...(hasFind ? (['found'] as const) : []), 'stream'];
}
