import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {TimelineItem} from '../domain/timeline.ts';
import type {Clock} from '../sync/clock.ts';
import type {ReadPage} from '../sync/listing.ts';
import {createMessageReader} from '../sync/message-reader.ts';
import {createMessageWindow} from '../sync/message-window.ts';
import {createRoleReader} from '../sync/role-reader.ts';
import type {SafeWrite} from '../sync/safe-write.ts';
import {addHole} from '../sync/tail-reader.ts';

/** The messages of one session, read with the same parts as the screen's, one step at a time. */
export type Transcript = {
	/** Reads what is new; answers, in display order, what is new or changed since the last call. */
	poll(signal: AbortSignal): Promise<readonly TimelineItem[]>;
	/** The newest `count` messages; reads as far back as that needs. */
	newest(count: number, signal: AbortSignal): Promise<NewestMessages>;
	items(): readonly TimelineItem[];
};

/** `isWhole`: the service gave a way to all that was asked for. */
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
	/** An earlier run was given no way to the beginning: it is looked for again, once. */
	let isStartSought = messageWindow.listing.isCutShort === true && messageWindow.listing.pages === 'tail';

	const readPage =
		(signal: AbortSignal): ReadPage =>
		query =>
			service.messages.list(sessionId, {...query, ...(computerId && {computerId})}, {signal});

	/** Asks until everything is answered that the service has an answer to. */
	async function resolveRoles(ids: Iterable<string>, signal: AbortSignal): Promise<readonly string[]> {
		const resolved: string[] = [];
		const subjects = [...ids].flatMap(id => messageWindow.timeline.get(id) ?? []);
		do resolved.push(...(await roles.resolve(readPage(signal), subjects, {kind: 'newest'})));
		while (roles.isBehind);
		return resolved;
	}

	/** How far the history is read. */
	function standing(): string {
		return JSON.stringify([messageWindow.timeline.items().length, messageWindow.listing.holes]);
	}

	/**
	 * Fills the newest gap among the last `count` entries, or reads one step further back; false at the beginning, and
	 * when a service leads nowhere.
	 */
	async function stepBack(count: number, signal: AbortSignal): Promise<boolean> {
		const before = standing();
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
		return standing() !== before;
	}

	/** Reads what is new; answers its ids. */
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
					// A listing that begins with the oldest messages and is cut short lacks the newest ones.
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
