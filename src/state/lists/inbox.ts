import type {Lists} from './lists.ts';
import type {NeedsItem} from './needs-items.ts';

/**
 * All sessions and computers that need the user, including handled ones: waiting first (longest first), then
 * snoozed (by end of snooze), then acknowledged (most recent first).
 */
export function inboxItems({sessions, computers}: Pick<Lists['all'], 'sessions' | 'computers'>): NeedsItem[] {
	return [...sessions, ...computers]
		.filter(({episode}) => episode !== undefined)
		.sort((a, b) => rankOf(a) - rankOf(b) || timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1));
}

function rankOf({mark}: NeedsItem): 0 | 1 | 2 {
	if (!mark) return 0;
	return mark.kind === 'snoozed' ? 1 : 2;
}

function timeOf({mark, since}: NeedsItem): number {
	if (!mark) return since ?? 0;
	return mark.until ?? -mark.at;
}
