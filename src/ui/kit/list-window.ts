/**
 * First visible row of a list, moved as little as possible so that row `index` is seen. The list is never scrolled past
 * its end while it could fill the window.
 */
export function listTop(top: number, index: number, height: number, count: number): number {
	const lowest = Math.max(0, count - height);
	const seen = index < top ? index : index >= top + height ? index - height + 1 : top;
	return Math.max(0, Math.min(lowest, seen));
}
