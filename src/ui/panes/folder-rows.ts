import type {SessionItem} from '../../state/session-items.ts';

/** A row of the sessions pane: a session, or the folder that those after it work in. */
export type SessionsRow = {readonly item: SessionItem} | {readonly folder: string};

/** The sessions with a heading before the first of each folder of this machine. Those that need the user have none. */
export function folderRows(items: readonly SessionItem[]): SessionsRow[] {
	let folder: string | undefined;
	return items.flatMap((item): SessionsRow[] => {
		if (item.group === 'needs' || item.folder === undefined) return [{item}];
		if (item.folder === folder) return [{item}];
		folder = item.folder;
		return [{folder}, {item}];
	});
}
