import type {Line} from '../../text/line.ts';
import type {Page} from './page.ts';

/** Several screens of rows: a heat map of 90 days is some kilobytes a row. */
const maxKept = 400;

/** The page with its rows drawn once: a key that moves the cursor draws those alone that come into sight. */
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
