import {isServiceError} from '../../api/errors.ts';
import {delay} from '../../api/http/timing.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import {append} from '../../domain/large-arrays.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {explicitRole, type ListedByRole} from '../../domain/messages/roles.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {ReadPage} from '../../sync/core/read-list.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {type ActivityReading, readingOf} from '../../sync/messages/activity-recorder.ts';
import type {MessageChanges} from '../../sync/messages/message-changes.ts';
import {createMessageReader} from '../../sync/messages/message-reader.ts';
import {MessageWindow} from '../../sync/messages/message-window.ts';
import {createRoleListings, maxLag} from '../../sync/messages/role-listings.ts';
import {createRoleReader} from '../../sync/messages/role-reader.ts';
import {addGap} from '../../sync/messages/tail-reader.ts';

export type Transcript = ReturnType<typeof openTranscript>;

/** `isWhole`: the service provided everything requested. `hasOlder`: it has older ones. */
export type NewestMessages = {
	readonly items: readonly TimelineItem[];
	readonly isWhole: boolean;
	readonly hasOlder: boolean;
};

/** The newest messages of some kind. */
export type NewestPart = Omit<NewestMessages, 'hasOlder'>;

type TranscriptOptions = {
	readonly sessionId: string;
	readonly computerId?: string;
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
	/** How long to wait for listings by role that lag behind, ms; not at all when absent. */
	readonly roleWait?: number;
	/** Called before each such wait. */
	readonly onRoleWait?: () => void;
	/** Called after each `poll`, with its result. */
	readonly onPoll?: (reading: ActivityReading) => void;
};

/** Minimum time between two reads of the listings by role, ms. */
const minRoleWait = 1_000;

/** Whether it is unknown who wrote a message. A message that names a role of no kind we know isn't counted. */
export function isRoleUnknown({message, role}: TimelineItem): boolean {
	return role === undefined && !explicitRole(message).isExplicit;
}

function isRecent({message: {createdAt}}: TimelineItem, now: number): boolean {
	return createdAt !== undefined && createdAt > now - maxLag;
}

/** A listing by role that fails proves nothing. */
function asUnproven(error: unknown): false {
	if (isServiceError(error)) return false;
	throw error;
}

/** One session's messages, read step by step with the same parts as the screen. */
export function openTranscript(options: TranscriptOptions) {
	const {
		sessionId,
		computerId,
		service,
		database,
		clock,
		safeWrite,
		roleWait = 0,
		onRoleWait,
		onPoll,
	} = options;
	const messageWindow = new MessageWindow(sessionId, database, safeWrite);
	const reader = createMessageReader(messageWindow);
	const ownIds = () =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => (messageId ? [messageId] : [])));
	const listings = createRoleListings(messageWindow, clock);
	const {reach} = listings;
	const roles = createRoleReader({messageWindow, clock, ownIds, listings});
	messageWindow.loadCached();
	/** An earlier run found no way to the beginning: try once more. */
	let triesStartAgain = messageWindow.listing.isCutShort === true && messageWindow.listing.pages === 'tail';

	const readPage =
		(signal: AbortSignal): ReadPage =>
		query =>
			service.messages.list(sessionId, {...query, ...(computerId && {computerId})}, {signal});

	/** Requests roles until the service has no more to give, or those of new messages are overdue. */
	async function resolveRoles(ids: Iterable<string>, signal: AbortSignal): Promise<readonly string[]> {
		const resolved: string[] = [];
		const subjects = [...ids].flatMap(id => messageWindow.timeline.get(id) ?? []);
		const startedAt = clock.now();
		const isLate = (item: TimelineItem) => isRecent(item, startedAt) && isRoleUnknown(currentItem(item));
		for (;;) {
			do append(resolved, await roles.resolve(readPage(signal), subjects, {kind: 'newest'}));
			while (roles.isBehind);
			const {nextAt = Number.POSITIVE_INFINITY} = roles;
			if (nextAt >= startedAt + roleWait || !subjects.some(isLate)) return resolved;
			onRoleWait?.();
			await delay(clock, Math.max(minRoleWait, nextAt - clock.now()), signal);
		}
	}

	function currentItem(item: TimelineItem): TimelineItem {
		return messageWindow.timeline.get(item.id) ?? item;
	}

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

	/** Number of entries from the first such message on. */
	function countFrom(isAmong: (item: TimelineItem) => boolean): number {
		const entries = messageWindow.entries();
		const first = entries.findIndex(entry => entry.kind === 'message' && isAmong(entry));
		return first === -1 ? 0 : entries.length - first;
	}

	/** Returns all such messages, which are among the newest; reads as far back as there are any. */
	async function readBack(
		isAmong: (item: TimelineItem) => boolean,
		signal: AbortSignal,
	): Promise<NewestPart> {
		let count = countFrom(isAmong);
		while (hasUnreadAmong(count) && (await stepBack(count + 1, signal))) count = countFrom(isAmong);
		const items = messageWindow.timeline.items().filter(isAmong);
		return {items, isWhole: !lacksNewest() && !hasUnreadAmong(count)};
	}

	/** Whether messages are unread just before or among the last `count` entries. */
	function hasUnreadAmong(count: number): boolean {
		const entries = messageWindow.entries();
		const isFromStart = count === entries.length && messageWindow.hasOlder;
		return isFromStart || entries.slice(-count - 1).some(({kind}) => kind === 'gap');
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
		/** These items, each with its role if that has become known. */
		withRoles: (items: readonly TimelineItem[]) => items.map(currentItem),
		/** Whether there are messages before `items`. */
		hasOlder: () => messageWindow.hasOlder,
		/** Reads new messages; returns those new or changed since the last call, in display order. */
		async poll(signal: AbortSignal): Promise<readonly TimelineItem[]> {
			const changes = await readChanges(signal);
			const changedIds = new Set([...changes.added, ...changes.changed]);
			for (const id of await resolveRoles(changedIds, signal)) changedIds.add(id);
			onPoll?.(readingOf(messageWindow, changes));
			return messageWindow.timeline.items().filter(({id}) => changedIds.has(id));
		},
		/** Reads new messages; returns those so new that a listing by role may lack them. */
		async recent(signal: AbortSignal): Promise<NewestPart> {
			await readChanges(signal);
			const now = clock.now();
			const {items, isWhole} = await readBack(item => isRecent(item, now), signal);
			await resolveRoles(
				items.map(({id}) => id),
				signal,
			);
			return {items: items.map(currentItem), isWhole};
		},
		/** Throws `FilterIgnoredError` if these messages, from the listing of a role, show that the service ignores it. */
		checkFilter(role: MessageRole, listed: readonly Message[], signal: AbortSignal): Promise<void> {
			return roles.checkFilter(readPage(signal), role, listed);
		},
		/**
		 * Returns the newest messages that no listing by role may include yet; none if one shows that it includes the newest
		 * message. `answers`: what was read of them. Reads the others as far as necessary: `hasRead`. Throws
		 * `FilterIgnoredError`.
		 */
		async unlisted(answers: ListedByRole, signal: AbortSignal): Promise<NewestPart & {hasRead: boolean}> {
			for (const listed of Object.values(answers)) reach.extend(listed);
			const newest = messageWindow.timeline.items().at(-1)?.message;
			if (!newest) return {items: [], isWhole: true, hasRead: false};
			const hasRead = !reach.isReached(newest);
			if (hasRead && !(await roles.readUntilReached(readPage(signal), newest, answers).catch(asUnproven)))
				return {...(await readBack(({message}) => !reach.isReached(message), signal)), hasRead};
			const tied = messageWindow.timeline
				.items()
				.filter(({message}) => message.createdAt === newest.createdAt);
			const items = tied.length > 1 && newest.createdAt !== undefined ? tied : [];
			await resolveRoles(
				items.map(({id}) => id),
				signal,
			);
			return {items, isWhole: true, hasRead};
		},
		/** Returns the newest `count` messages, reading as far back as needed. */
		async newest(count: number, signal: AbortSignal): Promise<NewestMessages> {
			await readChanges(signal);
			for (;;) {
				const newest = messageWindow.entries().slice(-count);
				const isWhole = newest.length === count && newest.every(({kind}) => kind === 'message');
				if (isWhole || !(await stepBack(count, signal))) {
					const ids = newest.flatMap(({kind, id}) => (kind === 'message' ? [id] : []));
					await resolveRoles(ids, signal);
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
