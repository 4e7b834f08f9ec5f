import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {type ActivityReading, readingOf} from '../../sync/messages/activity-recorder.ts';
import {createMessageChanges, type MessageChanges} from '../../sync/messages/message-changes.ts';
import {createMessageReader} from '../../sync/messages/message-reader.ts';
import {MessageWindow} from '../../sync/messages/message-window.ts';
import {atComputer} from '../../sync/messages/page-reader.ts';
import {createRoleReader} from '../../sync/messages/role-reader.ts';
import {addGap} from '../../sync/messages/tail-reader.ts';

export type Transcript = ReturnType<typeof openTranscript>;

/** `isWhole`: the service provided everything requested. `hasOlder`: it has older ones. */
export type NewestMessages = {
	readonly items: readonly TimelineItem[];
	readonly isWhole: boolean;
	readonly hasOlder: boolean;
};

type TranscriptOptions = {
	readonly sessionId: string;
	readonly computerId?: string;
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
	/** Called after each `poll`, with its result. */
	readonly onPoll?: (reading: ActivityReading) => void;
};

/** One session's messages, read step by step with the same parts as the screen. */
export function openTranscript(options: TranscriptOptions) {
	const {sessionId, computerId, service, database, clock, safeWrite, onPoll} = options;
	const messageWindow = new MessageWindow(sessionId, database, safeWrite);
	const reader = createMessageReader(messageWindow);
	const ownIds = () =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => (messageId ? [messageId] : [])));
	const roles = createRoleReader({messageWindow, clock, ownIds});
	messageWindow.loadCached();
	/** An earlier run found no way to the beginning: try once more. */
	let triesStartAgain = messageWindow.listing.isCutShort === true && messageWindow.listing.pages === 'tail';

	const readPage = (signal: AbortSignal) =>
		atComputer(query => service.messages.list(sessionId, query, {signal}), computerId);

	/** A fingerprint of how much history is read, to detect progress. */
	function readState(): string {
		return JSON.stringify([messageWindow.timeline.items().length, messageWindow.listing.gaps]);
	}

	/**
	 * Fills the newest gap among the last `count` entries, or reads one step further back. False at the
	 * beginning, or when the service makes no progress.
	 */
	async function stepBack(count: number, signal: AbortSignal): Promise<boolean> {
		const before = readState();
		const gap = messageWindow
			.entries()
			.slice(-count)
			.findLast(entry => entry.kind === 'gap');
		if (gap) await reader.fillGap(readPage(signal), gap.id);
		else if (messageWindow.hasOlder) {
			if (messageWindow.loadOlder() === 0) await reader.readOlder(readPage(signal));
		} else if (triesStartAgain) {
			triesStartAgain = false;
			addGap(messageWindow, {before: messageWindow.timeline.items()[0]?.id ?? ''});
			await reader.readOlder(readPage(signal));
		}
		return readState() !== before;
	}

	/** A listing that starts at the oldest message and is cut short lacks the newest ones. */
	function lacksNewest(): boolean {
		return messageWindow.listing.pages === 'head' && messageWindow.listing.isCutShort === true;
	}

	/** Reads new messages; returns their ids. */
	async function readChanges(signal: AbortSignal): Promise<MessageChanges> {
		return reader.poll(readPage(signal), {
			now: clock.now(),
			isQuiet: false,
			isActive: true,
			onWalk: () => undefined,
		});
	}

	return {
		items: () => messageWindow.timeline.items(),
		/** Whether there are messages before `items`. */
		hasOlder: () => messageWindow.hasOlder,
		/** Reads new messages; returns those new or changed since the last call, in display order. */
		async poll(signal: AbortSignal): Promise<readonly TimelineItem[]> {
			const changes = await readChanges(signal);
			const changedIds = new Set([...changes.added, ...changes.changed]);
			for (const id of await roles.resolve(readPage(signal), messageWindow.timeline.items()))
				changedIds.add(id);
			onPoll?.(readingOf(messageWindow, changes));
			return messageWindow.timeline.items().filter(({id}) => changedIds.has(id));
		},
		/** Why roles are unknown, if they are. */
		get roleProblem() {
			return roles.problem;
		},
		/**
		 * Returns the newest `count` messages, reading as far back as needed. All of them (`Infinity`) are read again, as any
		 * may have changed.
		 */
		async newest(count: number, signal: AbortSignal): Promise<NewestMessages> {
			const cached = messageWindow.stored.count;
			await readChanges(signal);
			if (count === Number.POSITIVE_INFINITY && cached > 0)
				await reader.reread(readPage(signal), cached, createMessageChanges());
			for (;;) {
				const newest = messageWindow.entries().slice(-count);
				const isWhole = newest.length === count && newest.every(({kind}) => kind === 'message');
				if (isWhole || !(await stepBack(count, signal))) {
					const ids = newest.flatMap(({kind, id}) => (kind === 'message' ? [id] : []));
					await roles.resolve(
						readPage(signal),
						ids.flatMap(id => messageWindow.timeline.get(id) ?? []),
					);
					const lacksOldest = messageWindow.hasUnread || messageWindow.listing.isCutShort === true;
					const isShort = lacksNewest() || (newest.length < count && lacksOldest);
					return {
						items: ids.flatMap(id => messageWindow.timeline.get(id) ?? []),
						isWhole: ids.length === newest.length && !isShort,
						hasOlder: messageWindow.hasOlder || messageWindow.entries().length > newest.length,
					};
				}
			}
		},
	};
}
