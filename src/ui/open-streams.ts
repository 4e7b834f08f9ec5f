import {mainItem} from '../state/view/view.ts';
import {fittingStreams, layoutNow} from './layout-now.ts';
import {prepareComposer} from './open-session.ts';
import type {AppParts} from './use-app.ts';

/** The sessions that each screen follows, with what releases them. */
const followed = new WeakMap<AppParts, Map<string, () => void>>();

/**
 * Follows the sessions on screen and fills their composers. When another view hides them, releases those that follow
 * the end; those scrolled away from it keep their position and are polled slowly.
 */
export function followStreams(parts: AppParts): void {
	const {engine} = parts.actions;
	const view = parts.view.getState();
	const wanted = new Set(
		fittingStreams(layoutNow(parts), view).filter(
			id => mainItem(view) || view.scrollStates.get(id)?.isFollowing === false,
		),
	);
	const open = followed.get(parts) ?? new Map<string, () => void>();
	followed.set(parts, open);
	for (const [id, release] of open) {
		if (wanted.has(id)) continue;
		open.delete(id);
		release();
	}
	for (const id of wanted) {
		if (open.has(id)) continue;
		prepareComposer(parts, id);
		open.set(id, engine.sessions.open(id));
	}
}

export function releaseStreams(parts: AppParts): void {
	for (const release of followed.get(parts)?.values() ?? []) release();
	followed.delete(parts);
}
