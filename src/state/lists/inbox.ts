import {compareNeeds} from '../sessions/session-sort.ts';
import type {Lists, NeedsItem} from './lists.ts';

/**
 * All sessions and computers that need the user, including handled ones: waiting first, in the order of
 * Needs you, then snoozed (by end of snooze), then acknowledged (most recent first).
 */
export function inboxItems({sessions, computers}: Pick<Lists['all'], 'sessions' | 'computers'>): NeedsItem[] {
	return [...sessions, ...computers]
		.filter(({episode}) => episode !== undefined)
		.sort((a, b) => rankOf(a) - rankOf(b) || timeOf(a) - timeOf(b) || compareNeeds(a, b));
}

function rankOf({mark}: NeedsItem): 0 | 1 | 2 {
	if (!mark) return 0;
	return mark.kind === 'snoozed' ? 1 : 2;
}

/** When its snooze ends; without one, the most recent mark comes first. */
function timeOf({mark}: NeedsItem): number {
	return mark ? (mark.until ?? -mark.at) : 0;
}
