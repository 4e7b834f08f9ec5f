import type {Service} from '../api/service.ts';
import {createListBudget, type ListBudget, type ListLimits} from '../domain/list-budget.ts';

type ListMessages = Service['messages']['list'];

/**
 * Lists messages up to a memory bound: the page that reaches it has no next page. Messages listed by role are
 * counted separately.
 */
export type BoundedMessages = {
	readonly list: ListMessages;
	/** Messages read so far, by any author. */
	readonly read: number;
	/** True when the bound was reached before the end. */
	readonly isCut: boolean;
	/** Resets the count, for a separate call. */
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
