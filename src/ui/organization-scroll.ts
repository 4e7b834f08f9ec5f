import {pageKey} from '../state/organization/organization-view-state.ts';
import {setView, withOrganization} from '../state/view/view.ts';
import {halfPage, type Move} from './kit/scroll.ts';
import type {AppParts} from './use-app.ts';

/** Moves the cursor of an organization page, as the last frame drew it. */
export function scrollPage(parts: AppParts, {kind, by}: Move): void {
	const {page} = parts.screen;
	if (!page) return;
	const step = kind === 'step' ? 1 : kind === 'page' ? halfPage(page.height) : page.count;
	movePageCursor(parts, page.index + by * step);
}

/** Moves the cursor to a row of the page by index, clamped to the list. */
export function movePageCursor({view, screen}: AppParts, to: number): void {
	const {page} = screen;
	if (!page) return;
	const index = Math.max(0, Math.min(page.count - 1, to));
	// Several steps may come before the next frame.
	screen.page = {...page, index};
	const id = page.idOf?.(index);
	setView(view, now => {
		const key = pageKey(now.page, now.organization);
		const cursor = {index, id};
		return withOrganization(now, {cursors: {...now.organization.cursors, [key]: cursor}});
	});
}
