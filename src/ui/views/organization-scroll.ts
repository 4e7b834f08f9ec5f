import {pageKey} from '../../state/organization-reading.ts';
import {withOrganization} from '../../state/view.ts';
import type {Move} from '../scroll.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Moves through the list of a page of the organization, as the last frame showed it. */
export function scrollPage({view, sizes}: AppParts, {kind, by}: Move): void {
	const {page} = sizes;
	if (!page) return;
	const step = kind === 'step' ? 1 : kind === 'page' ? Math.max(1, Math.floor(page.height / 2)) : page.count;
	const index = Math.max(0, Math.min(page.count - 1, page.index + by * step));
	const id = page.idOf?.(index);
	setView(view, now => {
		const key = pageKey(now.page, now.organization);
		const cursor = {index, ...(id !== undefined && {id})};
		return withOrganization(now, {cursors: {...now.organization.cursors, [key]: cursor}});
	});
}
