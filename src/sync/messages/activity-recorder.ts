import type {Clock} from '../../domain/clock.ts';
import type {OutboxItem} from '../../domain/messages/delivery.ts';
import {isEqual} from '../../domain/objects.ts';
import {
	activityOf,
	type RoledMessage,
	type SessionActivity,
	type StoredCount,
} from '../../domain/sessions/activity.ts';
import {newestSignalOf} from '../../domain/sessions/signal.ts';
import {assumedFor, turnEndedAt} from '../../state/sessions/session-state.ts';
import type {Registry} from '../fleet/registry.ts';

export type ActivityReading = {
	/** The newest messages, oldest first. */
	readonly messages: readonly RoledMessage[];
	/** Whether they start at the session's first message. */
	readonly isWhole: boolean;
	/** Ids of the messages that this read found new or changed. */
	readonly changed: ReadonlySet<string>;
	readonly stored?: StoredCount;
	/** Whether this program has not read the session before. */
	readonly isFirst?: boolean;
	/** The session's activity when the read began; absent if no other program can have changed it meanwhile. */
	readonly startedFrom?: {readonly activity: SessionActivity | undefined};
};

type RecorderOptions = {
	readonly registry: Registry;
	readonly clock: Clock;
	/** The messages of a session that were posted here. */
	readonly outboxOf: (sessionId: string) => readonly OutboxItem[];
	/** How far the service's clock is ahead of this machine's, ms, once known. */
	readonly skew: () => number | undefined;
	/** Whether the service is asked if the session's turn is over, so that silence doesn't end it. */
	readonly isAsked?: (sessionId: string) => boolean;
	/** Whether a turn leaves the changed lines of its folder unknown, as no probe reads them again. */
	readonly isFolderUnread?: () => boolean;
};

/** Infers the state of a session's turn from its newest messages, and saves it. */
export class ActivityRecorder {
	readonly #options: RecorderOptions;

	constructor(options: RecorderOptions) {
		this.#options = options;
	}

	record(sessionId: string, reading: ActivityReading): void {
		const {registry, clock, outboxOf, skew} = this.#options;
		const seenHere = registry.session(sessionId)?.seenId;
		// If another program has read the session since, its times are used: both must infer the same state.
		const known = registry.refreshedSession(sessionId);
		if (!known || isOvertaken(reading, known.activity)) return;
		const seenIds = [known.seenId, seenHere].filter(id => id !== undefined);
		const inferred = activityOf({
			...reading,
			changed: newlyChanged(reading, known.activity),
			before: known.activity,
			seenIds: new Set(seenIds),
			isNew: known.origin === 'created' || known.wasEmpty === true,
			outbox: outboxOf(sessionId),
			turnEndedAt: turnEndedAt(known, newestSignalOf(sessionId, registry.current().signals.values())),
			endsAfter: this.#options.isAsked?.(sessionId) ? assumedFor : undefined,
			isFirstRead: reading.isFirst ?? false,
			now: clock.now(),
			skew: skew(),
		});
		if (!inferred) {
			registry.setEmpty(sessionId);
			return;
		}
		const {folder, branch} = known.session?.workFolder ?? {};
		if (this.#options.isFolderUnread?.() && reading.changed.size > 0) registry.recordFolder({folder, branch});
		const activity = {...inferred, stored: reading.stored};
		if (!isEqual(activity, known.activity)) registry.setActivity(sessionId, activity);
		registry.recordRead(sessionId);
	}

	/** Keeps the start of the running turn: the message just posted waits for its end. */
	keepTurn(sessionId: string): void {
		const {registry} = this.#options;
		const {activity} = registry.session(sessionId) ?? {};
		if (activity?.state !== 'working' || activity.userAt === undefined) return;
		if (activity.turnAt === undefined)
			registry.setActivity(sessionId, {...activity, turnAt: activity.userAt});
	}

	/** Makes the agent's newest answer unread again. */
	markUnread(sessionId: string): void {
		const {registry} = this.#options;
		const {activity} = registry.session(sessionId) ?? {};
		if (!activity?.answer) return;
		registry.setActivity(sessionId, {...activity, seenAnswer: {id: activity.answer.id, text: ''}, unread: 1});
	}

	/** Records that the user has read a session up to its newest known message. */
	markSeen(sessionId: string): void {
		const {registry} = this.#options;
		const {activity, seenId} = registry.session(sessionId) ?? {};
		if (!activity) return;
		const isSeen = seenId === activity.newestId && isEqual(activity.seenAnswer, activity.answer);
		if (isSeen && activity.unread === 0) return;
		const {newestId: id, newestAt: at, answer} = activity;
		const read = {seen: {id, at}, seenAnswer: answer, unread: 0, isUnreadPartial: false};
		registry.setActivity(sessionId, {...activity, ...read}, id);
	}
}

/** Whether another program has found a newer message since this read began. */
function isOvertaken(
	{messages, startedFrom}: ActivityReading,
	activity: SessionActivity | undefined,
): boolean {
	if (!startedFrom || !activity || activity.newestId === startedFrom.activity?.newestId) return false;
	return messages.every(({message}) => message.id !== activity.newestId);
}

/** Ids of the messages that this read found new or changed, and no other program has found meanwhile. */
function newlyChanged(
	{messages, changed, startedFrom}: ActivityReading,
	activity: SessionActivity | undefined,
): ReadonlySet<string> {
	const before = startedFrom?.activity;
	const isSame = before?.newestId === activity?.newestId && before?.changedAt === activity?.changedAt;
	if (!startedFrom || isSame) return changed;
	const newestKnown = messages.findLastIndex(({message}) => message.id === activity?.newestId);
	return new Set(messages.slice(newestKnown + 1).flatMap(({message: {id}}) => (changed.has(id) ? [id] : [])));
}
