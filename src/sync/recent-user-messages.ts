import type {Message} from '../domain/message.ts';
import {type PageDirection, pageDirection} from '../domain/order.ts';
import type {Page} from '../domain/page.ts';

const maxPages = 20;

/** Where the next read goes on, for a service that lists the oldest first. */
export type RecentMessages = {readonly messages: readonly Message[]; readonly from?: string};

/**
 * The user messages of a session created at or after `since` (Unix ms), whichever end the service lists first. Where
 * it lists the newest first, one page is enough. Where it lists the oldest first, it is walked to its end, and the
 * next read begins `from` where this one ended. While neither is known the second page tells.
 */
export async function readRecentUserMessages(
	list: (cursor: string | undefined) => Promise<Page<Message>>,
	{since, pages, from}: {since: number; pages?: PageDirection; from?: string},
): Promise<RecentMessages> {
	const messages: Message[] = [];
	const asked = new Set<string>();
	let direction = from === undefined ? pages : 'head';
	let cursor = from;
	let before: readonly Message[] | undefined;
	for (let read = 0; read < maxPages; read++) {
		const page = await list(cursor);
		messages.push(...page.items.filter(({createdAt}) => (createdAt ?? since) >= since));
		if (before) direction ??= pageDirection(before, page.items) ?? 'tail';
		const isEnd = !page.hasMore || page.nextCursor === undefined || asked.has(page.nextCursor);
		const hasOlder = page.items.some(({createdAt}) => createdAt !== undefined && createdAt < since);
		if (isEnd || (direction === 'tail' && hasOlder)) break;
		before = page.items;
		cursor = page.nextCursor;
		if (cursor !== undefined) asked.add(cursor);
	}
	return direction === 'head' && cursor !== undefined ? {messages, from: cursor} : {messages};
}
