import type {Service} from '../api/service.ts';
import {createListBudget, type ListBudget, type ListLimits} from '../domain/list-budget.ts';

type ListMessages = Service['messages']['list'];

/**
 * Lists messages until they no longer fit in memory: the page that fills it leads nowhere. What a role's listing brings
 * is counted on its own.
 */
export type BoundedMessages = {
	readonly list: ListMessages;
	/** Messages read so far, whoever wrote them. */
	readonly read: number;
	/** There was more than could be read. */
	readonly isCut: boolean;
	/** Counts from zero again, for a call of its own. */
	restart(): void;
};

export function boundedMessages(
	list: ListMessages,
	{limits, onRead}: {readonly limits?: ListLimits; readonly onRead: (count: number) => void},
): BoundedMessages {
	const listings = new Map<string, {readonly budget: ListBudget; read: number}>();
	let read = 0;
	let isCut = false;
	return {
		async list(sessionId, query, options) {
			const page = await list(sessionId, query, options);
			const name = query?.role ?? 'all';
			const listing = listings.get(name) ?? {budget: createListBudget(limits), read: 0};
			listings.set(name, listing);
			const isRoom = page.items.every(message => listing.budget.take(message));
			listing.read += page.items.length;
			read = Math.max(read, listing.read);
			onRead(read);
			if (isRoom || !page.hasMore) return page;
			isCut = true;
			const {nextCursor: _, ...last} = page;
			return last;
		},
		get read() {
			return read;
		},
		get isCut() {
			return isCut;
		},
		restart() {
			listings.clear();
			read = 0;
			isCut = false;
		},
	};
}
