import {type Subject, subjectKey} from './attention.ts';

export type UserNotification = {
	readonly subject: Subject;
	/** Whether the user must act. If not, it is informational and opt-in. */
	readonly needsUser: boolean;
	/** The event, worded to follow the name: `needs you`. */
	readonly what: string;
	/** Its own message, raw. */
	readonly words: string;
};

export const pauseAfterNotification = 5_000;

/** Notifications waiting for the pause to end, the newest per subject; undefined if no pause is active. */
export type PendingNotifications = ReadonlyMap<string, UserNotification> | undefined;

/** `due` is sent now as one notification; `pending` waits. While `pending` is defined, a pause is active. */
export type NotificationBatch = {
	readonly pending: PendingNotifications;
	readonly due: readonly UserNotification[];
};

/**
 * Queues a notification. Without an active pause it is due immediately; during a pause it waits for the end,
 * so a burst of requests notifies once and then once more, and none is lost. Doesn't read the clock, so clock
 * changes can't delay a notification.
 */
export function addNotification(
	pending: PendingNotifications,
	notification: UserNotification,
): NotificationBatch {
	if (!pending) return {pending: new Map(), due: [notification]};
	const key = subjectKey(notification.subject);
	const others = [...pending].filter(([other]) => other !== key);
	return {pending: new Map([...others, [key, notification]]), due: []};
}

/** Ends a pause. Drops notifications that are no longer due; if any remain, returns them and starts the next pause. */
export function endPause(
	pending: PendingNotifications,
	isDue: (notification: UserNotification) => boolean,
): NotificationBatch {
	const due = [...(pending?.values() ?? [])].filter(isDue);
	return {pending: due.length > 0 ? new Map() : undefined, due};
}
