import {isOpen} from '../state/view/completion.ts';
import {targets} from '../state/view/targets.ts';
import type {View} from '../state/view/view.ts';
import type {ViewName} from '../state/view/view-states.ts';
import {writingContexts} from './composer/composer-bindings.ts';
import {computersPage} from './computers/computers-view.tsx';
import {eventsPage} from './events/events-view.tsx';
import type {KeyContext} from './keys/key-contexts.ts';
import {organizationViews} from './organization/organization-page.tsx';
import type {ScreenPage} from './screen-page.ts';
import {sessionsPage} from './sessions/sessions-view.tsx';
import type {AppParts} from './use-app.ts';
import {workPage} from './work/work-view.tsx';

const pages: Readonly<Record<ViewName, ScreenPage>> = {
	work: workPage,
	sessions: sessionsPage,
	computers: computersPage,
	...organizationViews,
	events: eventsPage,
};

export function pageOf({page}: View): ScreenPage {
	return pages[page];
}

/** The computer whose steps are on the screen; `isOpen`: it has the focus, without a dialog over it. */
export function computerOnScreen(
	parts: AppParts,
): {readonly id: string; readonly isOpen: boolean} | undefined {
	const view = parts.view.getState();
	const shown = pageOf(view).computer?.(parts, view);
	return shown && {id: shown.id, isOpen: shown.isFocused && view.dialogs.length === 0};
}

export function contextsOf(view: View, isConnected: boolean): readonly KeyContext[] {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'new-session' && isOpen(view.completion, targets(view).sessionId))
		return writingContexts(view);
	if (dialog?.kind === 'diff' && dialog.writing !== undefined) return ['comment'];
	if (dialog?.kind === 'diff' && dialog.find?.isTyping) return ['find'];
	if (dialog) return [dialog.kind];
	if (view.isFiltering) return ['filter'];
	if (!isConnected) return ['welcome'];
	return pageOf(view).contexts(view);
}
