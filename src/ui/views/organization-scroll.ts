import {pageKey} from '../../state/organization-reading.ts';
import {withOrganization} from '../../state/view.ts';
import type {Move} from '../kit/scroll.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Moves through the list of a page of the organization, as the last frame showed it. */
export function scrollPage(parts: AppParts, {kind, by}: Move): void {
	const {page} = parts.sizes;
	if (!page) return;
	const step = kind === 'step' ? 1 : kind === 'page' ? Math.max(1, Math.floor(page.height / 2)) : page.count;
	movePageCursor(parts, page.index + by * step);
}

/** Puts the cursor on a row of the page, by its index, or on the one nearest to it. */
export function movePageCursor({view, sizes}: AppParts, to: number): void {
	const {page} = sizes;
	if (!page) return;
	const index = Math.max(0, Math.min(page.count - 1, to));
	// More than one step may come before the next frame.
	sizes.page = {...page, index};
	const id = page.idOf?.(index);
	setView(view, now => {
		const key = pageKey(now.page, now.organization);
		const cursor = {index, ...(id !== undefined && {id})};
		return withOrganization(now, {cursors: {...now.organization.cursors, [key]: cursor}});
	});
}
