import type {Move} from './scroll.ts';

/** The target row of a move from row `from`: 0 to `max`; a page is half of `height` rows. */
export function moveRow(from: number, max: number, height: number, {kind, by}: Move): number {
	if (kind === 'edge') return by > 0 ? max : 0;
	const step = kind === 'step' ? 1 : Math.max(1, Math.floor(height / 2));
	return Math.max(0, Math.min(max, from + by * step));
}
