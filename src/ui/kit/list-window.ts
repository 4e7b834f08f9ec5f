/**
 * First visible row of a list, moved as little as possible so that row `index` is visible. Never scrolls past
 * the end while the list could fill the window.
 */
export function listTop(top: number, index: number, height: number, count: number): number {
	const lastTop = Math.max(0, count - height);
	const next = index < top ? index : index >= top + height ? index - height + 1 : top;
	return Math.max(0, Math.min(lastTop, next));
}
