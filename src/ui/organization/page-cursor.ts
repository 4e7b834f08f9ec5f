import type {PageCursor} from '../../state/organization-reading.ts';
import type {Page} from './page.ts';

/** Current index of the cursor's row: found by id, else its last index. */
export function cursorIndex(
	{count, idOf}: Pick<Page, 'count' | 'idOf'>,
	cursor: PageCursor | undefined,
): number {
	if (!cursor || count === 0) return 0;
	const index = Math.max(0, Math.min(count - 1, cursor.index));
	if (cursor.id === undefined || !idOf || idOf(index) === cursor.id) return index;
	for (let row = 0; row < count; row++) if (idOf(row) === cursor.id) return row;
	return index;
}
