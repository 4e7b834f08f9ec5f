import type {MessageQuery} from '../api/service.ts';
import type {Message} from '../domain/message.ts';
import {type PageDirection, pageDirection} from '../domain/order.ts';
import {type ReadPage, walk} from './listing.ts';

const maxPages = 20;

/** Where the next read goes on, for a service that lists the oldest first. */
export type RecentMessages = {readonly messages: readonly Message[]; readonly from?: string};

/**
 * The user messages of a session created at or after `since` (Unix ms), whichever end the service lists first. Where
 * it lists the newest first, one page is enough. Where it lists the oldest first, it is walked to its end, and the
 * next read begins `from` where this one ended. While neither is known the second page tells.
 */
export async function readRecentUserMessages(
	read: ReadPage,
	query: MessageQuery,
	{since, pages, from}: {since: number; pages?: PageDirection; from?: string},
): Promise<RecentMessages> {
	const messages: Message[] = [];
	let direction = from === undefined ? pages : 'head';
	let reached = from;
	let before: readonly Message[] | undefined;
	let left = maxPages;
	for await (const page of walk(read, {...query, role: 'user', ...(from !== undefined && {cursor: from})})) {
		messages.push(...page.items.filter(({createdAt}) => (createdAt ?? since) >= since));
		if (before) direction ??= pageDirection(before, page.items) ?? 'tail';
		reached = page.nextCursor ?? page.cursor;
		const hasOlder = page.items.some(({createdAt}) => createdAt !== undefined && createdAt < since);
		if ((direction === 'tail' && hasOlder) || --left === 0) break;
		before = page.items;
	}
	return direction === 'head' && reached !== undefined ? {messages, from: reached} : {messages};
}
