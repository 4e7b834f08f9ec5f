import {isEqual} from '../../domain/is-equal.ts';
import {activityOf, type RoledMessage} from '../../domain/sessions/activity.ts';
import type {Clock} from '../core/clock.ts';
import type {Registry} from '../fleet/registry.ts';

/** What a read of a session's newest messages found. */
export type ActivityReading = {
	/** The newest messages, oldest first. */
	readonly messages: readonly RoledMessage[];
	/** Whether they start at the session's first message. */
	readonly isWhole: boolean;
	/** Whether this read found something new. */
	readonly isChanged: boolean;
};

/** Saves what the messages of a session tell about its turn, whoever reads them. */
export class ActivityRecorder {
	readonly #registry: Registry;
	readonly #clock: Clock;

	constructor(registry: Registry, clock: Clock) {
		this.#registry = registry;
		this.#clock = clock;
	}

	record(sessionId: string, reading: ActivityReading): void {
		const known = this.#registry.session(sessionId);
		if (!known) return;
		const {activity: before, addedAt: knownSince} = known;
		const seenIds = [known.seenId, this.#registry.seenElsewhere(sessionId)];
		const seen = reading.messages.findLast(({message}) => seenIds.includes(message.id));
		const seenId = seen?.message.id ?? known.seenId;
		const activity = activityOf({...reading, seenId, knownSince, before, now: this.#clock.now()});
		if (activity && !isEqual(activity, before)) this.#registry.setActivity(sessionId, activity);
	}

	/** Records that the user has read a session up to its newest known message. */
	markSeen(sessionId: string): void {
		const {activity, seenId} = this.#registry.session(sessionId) ?? {};
		if (!activity || (seenId === activity.newestId && activity.unread === 0)) return;
		const {isUnreadPartial: _, ...rest} = activity;
		this.#registry.setActivity(sessionId, {...rest, unread: 0}, activity.newestId);
	}
}
