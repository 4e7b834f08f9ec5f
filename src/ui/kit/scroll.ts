/** A move by one row or message, by half a page, or to the end; positive is down. */
export type Move = {readonly kind: 'step' | 'page' | 'edge'; readonly by: 1 | -1};

export function halfPage(rows: number): number {
	return Math.max(1, Math.floor(rows / 2));
}

/** The target row of a move from row `from`: 0 to `max`; a page is half of `height` rows. */
export function moveRow(from: number, max: number, height: number, {kind, by}: Move): number {
	if (kind === 'edge') return by > 0 ? max : 0;
	return Math.max(0, Math.min(max, from + by * (kind === 'step' ? 1 : halfPage(height))));
}

/** The first visible of `rows` rows in a pane of `height` rows, after scrolling from `top` to `next`, clamped. */
export function scrolledTop(
	top: number,
	rows: number,
	height: number,
	next: (top: number, maxTop: number, height: number) => number,
): number {
	const maxTop = Math.max(0, rows - height);
	return Math.max(0, Math.min(maxTop, next(Math.min(maxTop, top), maxTop, height)));
}

/** Height of the item at an index, in lines; at least 1. */
type HeightAt = (index: number) => number;

/**
 * First visible item of a list, moved as little as possible so that item `index` is visible as a whole. Never
 * scrolls past the end while the list could fill the window. Takes time proportional to the window's height.
 */
export function listTop(
	top: number,
	index: number,
	height: number,
	count: number,
	heightAt: HeightAt = single,
): number {
	const last = Math.min(index, count - 1);
	const next = last < top ? last : Math.max(top, topAbove(last, height, heightAt));
	return clampTop(next, height, count, heightAt);
}

/** Keeps the first visible item between the start and the last window. */
export function clampTop(top: number, height: number, count: number, heightAt: HeightAt = single): number {
	return count === 0 ? 0 : Math.max(0, Math.min(top, topAbove(count - 1, height, heightAt)));
}

const single: HeightAt = () => 1;

/** The first item of the fullest window that ends with item `last`. */
function topAbove(last: number, height: number, heightAt: HeightAt): number {
	let top = Math.max(0, last);
	for (let lines = top === last ? heightAt(last) : 0; top > 0; top--) {
		lines += heightAt(top - 1);
		if (lines > height) break;
	}
	return top;
}
