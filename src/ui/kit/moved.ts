import type {Move} from './scroll.ts';

/** Where a move leads from row `from`: 0 to `most`, half of `height` rows for a page. */
export function moved(from: number, most: number, height: number, {kind, by}: Move): number {
	if (kind === 'edge') return by > 0 ? most : 0;
	const step = kind === 'step' ? 1 : Math.max(1, Math.floor(height / 2));
	return Math.max(0, Math.min(most, from + by * step));
}
