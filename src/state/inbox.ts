import type {SessionItem} from './session-items.ts';

/**
 * All sessions that need the user, including handled ones: waiting first (longest first), then snoozed (by
 * end of snooze), then acknowledged (most recent first).
 */
export function inboxItems(sessions: readonly SessionItem[]): SessionItem[] {
	return sessions
		.filter(({episode}) => episode !== undefined)
		.sort((a, b) => rankOf(a) - rankOf(b) || timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1));
}

function rankOf({mark}: SessionItem): 0 | 1 | 2 {
	if (!mark) return 0;
	return mark.kind === 'snoozed' ? 1 : 2;
}

function timeOf({mark, since}: SessionItem): number {
	if (!mark) return since ?? 0;
	return mark.until ?? -mark.at;
}
