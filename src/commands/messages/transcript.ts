import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {Clock} from '../../sync/core/clock.ts';
import type {ReadPage} from '../../sync/core/read-list.ts';
import type {SafeWrite} from '../../sync/core/safe-write.ts';
import {createMessageReader} from '../../sync/messages/message-reader.ts';
import {createMessageWindow} from '../../sync/messages/message-window.ts';
import {createRoleReader} from '../../sync/messages/role-reader.ts';
import {addHole} from '../../sync/messages/tail-reader.ts';

/** One session's messages, read step by step with the same parts as the screen. */
export type Transcript = {
	/** Reads new messages; returns those new or changed since the last call, in display order. */
	poll(signal: AbortSignal): Promise<readonly TimelineItem[]>;
	/** Returns the newest `count` messages, reading as far back as needed. */
	newest(count: number, signal: AbortSignal): Promise<NewestMessages>;
	items(): readonly TimelineItem[];
};

/** `isWhole`: the service provided everything requested. */
export type NewestMessages = {readonly items: readonly TimelineItem[]; readonly isWhole: boolean};

export type TranscriptOptions = {
	readonly sessionId: string;
	readonly computerId?: string;
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly safeWrite: SafeWrite;
};

export function openTranscript(options: TranscriptOptions): Transcript {
	const {sessionId, computerId, service, database, clock, safeWrite} = options;
	const messageWindow = createMessageWindow(sessionId, database, safeWrite);
	const reader = createMessageReader(messageWindow);
	const ownIds = () =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => (messageId ? [messageId] : [])));
	const roles = createRoleReader({messageWindow, clock, ownIds});
	messageWindow.loadCached();
	/** An earlier run found no way to the beginning: try once more. */
	let isStartSought = messageWindow.listing.isCutShort === true && messageWindow.listing.pages === 'tail';

	const readPage =
		(signal: AbortSignal): ReadPage =>
		query =>
			service.messages.list(sessionId, {...query, ...(computerId && {computerId})}, {signal});

	/** Requests roles until the service has no more to give. */
	async function resolveRoles(ids: Iterable<string>, signal: AbortSignal): Promise<readonly string[]> {
		const resolved: string[] = [];
		const subjects = [...ids].flatMap(id => messageWindow.timeline.get(id) ?? []);
		do resolved.push(...(await roles.resolve(readPage(signal), subjects, {kind: 'newest'})));
		while (roles.isBehind);
		return resolved;
	}

	/** A fingerprint of how much history is read, to detect progress. */
	function readState(): string {
		return JSON.stringify([messageWindow.timeline.items().length, messageWindow.listing.holes]);
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
		} else if (isStartSought) {
			isStartSought = false;
			addHole(messageWindow, {before: messageWindow.timeline.items()[0]?.id ?? ''});
			await reader.readOlder(readPage(signal));
		}
		return readState() !== before;
	}

	/** Reads new messages; returns their ids. */
	async function readChanges(signal: AbortSignal): Promise<Set<string>> {
		const changes = await reader.poll(readPage(signal), {
			now: clock.now(),
			isQuiet: false,
			isActive: true,
			onWalk: () => undefined,
		});
		return new Set([...changes.added, ...changes.changed]);
	}

	return {
		items: () => messageWindow.timeline.items(),
		async poll(signal) {
			const fresh = await readChanges(signal);
			for (const id of await resolveRoles(fresh, signal)) fresh.add(id);
			return messageWindow.timeline.items().filter(({id}) => fresh.has(id));
		},
		async newest(count, signal) {
			await readChanges(signal);
			for (;;) {
				const newest = messageWindow.entries().slice(-count);
				const isWhole = newest.length === count && newest.every(({kind}) => kind === 'message');
				if (isWhole || !(await stepBack(count, signal))) {
					const ids = newest.flatMap(({kind, id}) => (kind === 'message' ? [id] : []));
					await resolveRoles(ids, signal);
					// A listing that starts at the oldest message and is cut short lacks the newest ones.
					const lacksNewest =
						messageWindow.listing.pages === 'head' && messageWindow.listing.isCutShort === true;
					const lacksOldest = messageWindow.hasUnread || messageWindow.listing.isCutShort === true;
					const isShort = lacksNewest || (newest.length < count && lacksOldest);
					return {
						items: ids.flatMap(id => messageWindow.timeline.get(id) ?? []),
						isWhole: ids.length === newest.length && !isShort,
					};
				}
			}
		},
	};
}
