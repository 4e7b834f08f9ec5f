import type {SessionItem} from '../../state/session-items.ts';
import {headingOf, type SessionSort} from '../../state/session-sort.ts';

/** A row of the sessions pane: a session, or the heading of those below it. */
type SessionsRow = {readonly item: SessionItem} | SessionsHeading;

export type SessionsHeading = {readonly heading: string; readonly kind: 'folder' | 'computer'};

/**
 * Inserts a heading before the first session of each local folder and, when sorted by computer, of each
 * computer. Sessions that need the user get none.
 */
export function headingRows(items: readonly SessionItem[], sort: SessionSort): SessionsRow[] {
	const rows: SessionsRow[] = [];
	let last: string | undefined;
	for (const item of items) {
		const heading = headingOf(item, sort);
		if (heading !== undefined) {
			const kind = item.folder === undefined ? 'computer' : 'folder';
			const name = `${kind} ${heading}`;
			if (name !== last) rows.push({heading, kind});
			last = name;
		}
		rows.push({item});
	}
	return rows;
}
