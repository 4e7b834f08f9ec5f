/** Something the user is to be called for, about one session. */
export type UserNotification = {
	readonly sessionId: string;
	/** Is the user needed? Else it is only told, for those who want to know. */
	readonly needsUser: boolean;
	/** What the session does, in words that follow its name: `needs you`. */
	readonly what: string;
	/** In its own words, raw. */
	readonly words: string;
};

/** How long nobody is called again after a call, ms. */
export const pauseAfterNotification = 5_000;

/** The calls that wait for the end of the pause, the newest of each session; absent while no pause is on. */
export type PendingNotifications = ReadonlyMap<string, UserNotification> | undefined;

/** What is to be told now, as one call, and what waits then. A pause begins, or goes on, while `pending` is there. */
export type NotificationBatch = {
	readonly pending: PendingNotifications;
	readonly due: readonly UserNotification[];
};

/**
 * The first call after a rest is told at once. What comes in the pause after it waits for the pause's end, however
 * many there are: agents that ask all at once call once and then once more, and none is lost. Nothing here reads a
 * clock, so that one that jumps keeps no call back.
 */
export function addNotification(
	pending: PendingNotifications,
	notification: UserNotification,
): NotificationBatch {
	if (!pending) return {pending: new Map(), due: [notification]};
	const others = [...pending].filter(([sessionId]) => sessionId !== notification.sessionId);
	return {pending: new Map([...others, [notification.sessionId, notification]]), due: []};
}

/** A pause is over. What nobody need be called for any more is let go; if something is told, the next pause begins. */
export function endPause(
	pending: PendingNotifications,
	isDue: (notification: UserNotification) => boolean,
): NotificationBatch {
	const due = [...(pending?.values() ?? [])].filter(isDue);
	return {pending: due.length > 0 ? new Map() : undefined, due};
}
