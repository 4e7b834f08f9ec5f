import type {SessionActivity} from '../../domain/sessions/activity.ts';
import type {Stream} from '../stream.ts';

/** The line above the first of a session's unread messages. */
export type NewLine = {
	/** Id of that message. */
	readonly id: string;
	/** Number of the agent's messages from there on. */
	readonly count: number;
	/** Whether there may be more unread messages before it. */
	readonly isPartial: boolean;
};

/**
 * Finds the first unread message. Unread are the agent's newest messages, as many as `activity` counts, and later
 * ones.
 */
export function newLineOf(
	entries: Stream['entries'],
	activity: Pick<SessionActivity, 'newestId' | 'unread' | 'isUnreadPartial'> | undefined,
): NewLine | undefined {
	if (!activity || activity.unread === 0) return undefined;
	let left = activity.unread;
	let count = 0;
	let id: string | undefined;
	let isCounted = !entries.some(entry => entry.id === activity.newestId);
	for (let index = entries.length - 1; index >= 0 && left > 0; index--) {
		const entry = entries[index];
		isCounted ||= entry?.id === activity.newestId;
		if (entry?.kind !== 'message' || entry.role !== 'assistant' || entry.message.isUserVisible === false)
			continue;
		id = entry.id;
		count++;
		if (isCounted) left--;
	}
	return id === undefined ? undefined : {id, count, isPartial: left > 0 || activity.isUnreadPartial === true};
}
