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
	let last: string | undefined;
	return items.flatMap((item): SessionsRow[] => {
		const heading = headingOf(item, sort);
		const kind = item.folder === undefined ? 'computer' : 'folder';
		const name = heading === undefined ? undefined : `${kind} ${heading}`;
		if (name === last || heading === undefined) return [{item}];
		last = name;
		return [{heading, kind}, {item}];
	});
}
