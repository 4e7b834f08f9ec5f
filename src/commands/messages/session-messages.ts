import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import type {ActivityReading} from '../../sync/messages/activity-recorder.ts';
import {atComputer} from '../../sync/messages/page-reader.ts';
import {Thread} from '../../sync/messages/thread.ts';

export type SessionMessages = ReturnType<typeof openSessionMessages>;

type SessionMessagesOptions = {
	readonly sessionId: string;
	readonly computerId?: string;
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
	/** Called after each `poll`, with its result. */
	readonly onPoll?: (reading: ActivityReading) => void;
};

/** One session's messages for a command. */
export function openSessionMessages({service, computerId, onPoll, ...options}: SessionMessagesOptions) {
	const {sessionId, database} = options;
	const ownIds = () =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => (messageId ? [messageId] : [])));
	const thread = new Thread({...options, ownIds});
	thread.window.loadCached();

	const reading = (signal: AbortSignal) =>
		atComputer(query => service.messages.list(sessionId, query, {signal}), computerId);

	return {
		items: () => thread.items(),
		/** Whether there are messages before `items`. */
		hasOlder: () => thread.window.hasOlder,
		/** Reads new messages; returns those new or changed since the last call, in display order. */
		async poll(signal: AbortSignal): Promise<readonly TimelineItem[]> {
			const read = reading(signal);
			const changes = await thread.poll(read);
			const resolved = await thread.roles.resolve(read, thread.items());
			onPoll?.(thread.readingOf(changes));
			const isChanged = ({id}: TimelineItem) =>
				changes.added.has(id) || changes.changed.has(id) || resolved.has(id);
			return thread.items().filter(isChanged);
		},
		/** Why roles are unknown, if they are. */
		get roleProblem() {
			return thread.roles.problem;
		},
		/** See `Thread.newest`. */
		newest: (count: number, signal: AbortSignal) => thread.newest(reading(signal), count),
	};
}
