import type {Line} from '../../text/line.ts';
import type {Page} from './page.ts';

/** Cache size: several screens of rows. A row with a 90-day heat map takes a few kilobytes. */
const maxKept = 400;

/** Caches a page's rows, so moving the cursor draws only rows that come into view. */
export function cacheRows(page: Page): Page {
	const kept = new Map<number, Line>();
	return {
		...page,
		row(index) {
			const known = kept.get(index);
			if (known) return known;
			if (kept.size >= maxKept) kept.clear();
			const line = page.row(index);
			kept.set(index, line);
			return line;
		},
	};
}
