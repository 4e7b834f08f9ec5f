import {isEqual} from '../../domain/is-equal.ts';
import type {KnownSession} from '../../domain/known.ts';
import {activityOf, type RoledMessage} from '../../domain/sessions/activity.ts';
import {afterStop} from '../../domain/sessions/session-status.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import type {Clock} from '../core/clock.ts';
import type {Registry} from '../fleet/registry.ts';

/** What a read of a session's newest messages found. */
export type ActivityReading = {
	/** The newest messages, oldest first. */
	readonly messages: readonly RoledMessage[];
	/** Whether they start at the session's first message. */
	readonly isWhole: boolean;
	/** Ids of the messages that this read found new or changed. */
	readonly changed: ReadonlySet<string>;
};

type RecorderOptions = {
	readonly registry: Registry;
	readonly clock: Clock;
	/** Ids that add-message returned in a session. */
	readonly ownIds: (sessionId: string) => ReadonlySet<string>;
	/** How far the service's clock is ahead of this machine's, ms, once known. */
	readonly skew: () => number | undefined;
};

/** Saves what the messages of a session tell about its turn, whoever reads them. */
export class ActivityRecorder {
	readonly #options: RecorderOptions;

	constructor(options: RecorderOptions) {
		this.#options = options;
	}

	record(sessionId: string, reading: ActivityReading): void {
		const {registry, clock, ownIds, skew} = this.#options;
		const known = registry.session(sessionId);
		if (!known) return;
		const seenIds = [known.seenId, registry.seenElsewhere(sessionId)].filter(id => id !== undefined);
		const activity = activityOf({
			...reading,
			before: known.activity,
			seenIds: new Set(seenIds),
			isNew: known.origin === 'created' || known.wasEmpty === true,
			ownIds: ownIds(sessionId),
			turnEndedAt: this.#turnEndedAt(known),
			now: clock.now(),
			skew: skew(),
		});
		if (!activity) registry.setEmpty(sessionId);
		else if (!isEqual(activity, known.activity)) registry.setActivity(sessionId, activity);
	}

	/**
	 * When a hook or the service told that the session's turn is over, if it still is as far as they tell, Unix ms.
	 */
	#turnEndedAt({id, status}: KnownSession): number | undefined {
		let newest: Signal | undefined;
		for (const signal of this.#options.registry.current().signals.values())
			if (signal.sessionId === id && signal.lastEventAt > (newest?.lastEventAt ?? 0)) newest = signal;
		const byHook = newest && !['working', 'unknown'].includes(newest.state) ? newest.lastEventAt : undefined;
		if (status?.value !== 'idle' || status.source !== 'updated') return byHook;
		// Unlike a hook, the service lists what came before it said so.
		return Math.max(status.at - afterStop, byHook ?? 0);
	}

	/** Records that the user has read a session up to its newest known message. */
	markSeen(sessionId: string): void {
		const {registry} = this.#options;
		const {activity, seenId} = registry.session(sessionId) ?? {};
		if (!activity || (seenId === activity.newestId && activity.unread === 0)) return;
		const {isUnreadPartial: _, ...rest} = activity;
		const {newestId: id, newestAt: at} = activity;
		const seen = {id, ...(at !== undefined && {at})};
		registry.setActivity(sessionId, {...rest, seen, unread: 0}, id);
	}
}
