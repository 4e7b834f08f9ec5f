import type {FilterChoice} from '../domain/list-filter/complete-filter.ts';
import type {Lists} from '../state/lists/lists.ts';
import type {View} from '../state/view/view.ts';
import type {ViewName} from '../state/view/views.ts';
import {computersPage} from './computers/computers-view.tsx';
import {eventsPage} from './events/events-view.tsx';
import {organizationViews} from './organization/organization-page.tsx';
import type {ScreenPage} from './screen-page.ts';
import {sessionsPage} from './sessions/sessions-view.tsx';
import type {AppParts, Parts} from './use-app.ts';
import {workPage} from './work/work-view.tsx';

/** Every view by its name. */
const pages: Readonly<Record<ViewName, ScreenPage>> = {
	work: workPage,
	sessions: sessionsPage,
	computers: computersPage,
	...organizationViews,
	events: eventsPage,
};

/** The view on the screen. */
export function pageOf({page}: Pick<View, 'page'>): ScreenPage {
	return pages[page];
}

/** Completions for the filter being typed; none for a filter of plain words. */
export function filterChoices(
	parts: Parts<'listBuilder'>,
	view: View,
	lists: Lists,
): readonly FilterChoice[] {
	return pageOf(view).filter?.choices(parts, view, lists) ?? [];
}

/** The computer whose steps are on the screen; `isOpen`: it has the focus, without a dialog over it. */
export function computerOnScreen(
	parts: AppParts,
): {readonly id: string; readonly isOpen: boolean} | undefined {
	const view = parts.view.getState();
	const shown = pageOf(view).computer?.(parts, view);
	return shown && {id: shown.id, isOpen: shown.isFocused && view.dialogs.length === 0};
}
