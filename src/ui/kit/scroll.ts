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
