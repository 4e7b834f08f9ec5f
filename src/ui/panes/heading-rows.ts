import type {SessionItem} from '../../state/session-items.ts';
import {headingOf, type SessionSort} from '../../state/session-sort.ts';

/** A row of the sessions pane: a session, or what those after it stand under. */
type SessionsRow = {readonly item: SessionItem} | SessionsHeading;

export type SessionsHeading = {readonly heading: string; readonly kind: 'folder' | 'computer'};

/**
 * The sessions with a heading before the first of each folder of this machine, and of each computer when they are sorted
 * by those. Those that need the user have none.
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
