/** Height of the item at an index, in lines; at least 1. */
export type HeightAt = (index: number) => number;

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
