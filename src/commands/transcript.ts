import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {MessageRole} from '../domain/message.ts';
import type {TimelineItem} from '../domain/timeline.ts';
import type {Clock} from '../sync/clock.ts';
import type {Keep} from '../sync/keep.ts';
import type {ReadPage} from '../sync/listing.ts';
import {createMessageReader} from '../sync/message-reader.ts';
import {createRoleReader} from '../sync/role-reader.ts';
import {createShelf} from '../sync/shelf.ts';

/** The messages of one session, read with the same parts as the screen's, one step at a time. */
export type Transcript = {
	/** Reads what is new; answers, in display order, what is new or changed since the last call. */
	poll(signal: AbortSignal): Promise<readonly TimelineItem[]>;
	/** The newest `count` messages of a role, or of all; reads as far back as that needs. */
	newest(count: number, role: MessageRole | undefined, signal: AbortSignal): Promise<readonly TimelineItem[]>;
	items(): readonly TimelineItem[];
};

export type TranscriptOptions = {
	readonly sessionId: string;
	readonly computerId?: string;
	readonly service: Service;
	readonly database: Database;
	readonly clock: Clock;
	readonly keep: Keep;
};

const rolePages = 50;

export function openTranscript(options: TranscriptOptions): Transcript {
	const {sessionId, computerId, service, database, clock, keep} = options;
	const shelf = createShelf(sessionId, database, keep);
	const reader = createMessageReader(shelf);
	const ownIds = () =>
		new Set(database.outbox.ofSession(sessionId).flatMap(({messageId}) => (messageId ? [messageId] : [])));
	const roles = createRoleReader(shelf, ownIds);
	shelf.loadCached();

	const readPage =
		(signal: AbortSignal): ReadPage =>
		query =>
			service.messages.list(sessionId, {...query, ...(computerId && {computerId})}, {signal});

	async function resolveRoles(ids: Iterable<string>, signal: AbortSignal): Promise<readonly string[]> {
		return roles.resolve(readPage(signal), ids, rolePages);
	}

	/** How far the history is read. */
	function standing(): string {
		return JSON.stringify([shelf.timeline.items().length, shelf.facts.holes]);
	}

	/**
	 * Fills the newest gap among the last `count` entries, or reads one step further back; false at the beginning, and
	 * when a service leads nowhere.
	 */
	async function stepBack(count: number, signal: AbortSignal): Promise<boolean> {
		const before = standing();
		const gap = shelf
			.entries()
			.slice(-count)
			.findLast(entry => entry.kind === 'gap');
		if (gap) await reader.fillGap(readPage(signal), gap.id);
		else if (shelf.hasOlder && shelf.loadOlder() === 0) await reader.readOlder(readPage(signal));
		return standing() !== before;
	}

	return {
		items: () => shelf.timeline.items(),
		async poll(signal) {
			const news = await reader.poll(readPage(signal), {
				now: clock.now(),
				isQuiet: false,
				isActive: true,
				onWalk: () => undefined,
			});
			const fresh = new Set([...news.added, ...news.changed]);
			for (const id of await resolveRoles(fresh, signal)) fresh.add(id);
			return shelf.timeline.items().filter(({id}) => fresh.has(id));
		},
		async newest(count, role, signal) {
			for (;;) {
				const items = shelf.timeline.items();
				if (role)
					await resolveRoles(
						items.map(({id}) => id),
						signal,
					);
				const matching = shelf.timeline.items().filter(item => !role || item.role === role);
				const hasGap = shelf
					.entries()
					.slice(-count)
					.some(entry => entry.kind === 'gap');
				const isEnough = matching.length >= count && !(hasGap && !role);
				if (isEnough || !(await stepBack(role ? Number.MAX_SAFE_INTEGER : count, signal))) {
					const newest = matching.slice(-count);
					await resolveRoles(
						newest.map(({id}) => id),
						signal,
					);
					return newest.flatMap(({id}) => shelf.timeline.get(id) ?? []);
				}
			}
		},
	};
}
