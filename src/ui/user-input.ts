import type {AppParts} from './use-app.ts';

/** How many keys, pastes and clicks acted on the screen, by app. */
const counts = new WeakMap<AppParts, number>();

export function countInput(parts: AppParts): void {
	counts.set(parts, (counts.get(parts) ?? 0) + 1);
}

/**
 * Call when a request starts; the function returned says whether the user has done anything else since, or has a dialog
 * before them. If so, the response must neither take the focus nor open a dialog, since the next key isn't meant for it:
 * a notice says that it is there.
 */
export function watchInput(parts: AppParts): () => boolean {
	const before = counts.get(parts);
	return () => counts.get(parts) !== before || parts.view.getState().dialogs.length > 0;
}
