import type {MessageQuery} from '../../api/messages.ts';
import {append} from '../../domain/large-arrays.ts';
import type {Message} from '../../domain/messages/message.ts';
import {type PageDirection, pageDirection} from '../../domain/order.ts';
import {type ReadPage, walk} from '../core/read-list.ts';

const maxPages = 20;

/** Messages, and the cursor to continue from if the service lists the oldest first. */
type RecentMessages = {readonly messages: readonly Message[]; readonly from?: string};

/**
 * Reads the user messages of a session created at or after `since` (Unix ms), in whichever direction the
 * service lists them. If the newest come first, reads until a page holds older ones. If the oldest come
 * first, reads to the end; pass `from` to continue there next time. If the direction is unknown, the second
 * page decides.
 */
export async function readRecentUserMessages(
	read: ReadPage,
	query: MessageQuery,
	{since, pages, from}: {since: number; pages?: PageDirection; from?: string},
): Promise<RecentMessages> {
	const messages: Message[] = [];
	let direction = from === undefined ? pages : 'head';
	let lastCursor = from;
	let previousPage: readonly Message[] | undefined;
	let pagesLeft = maxPages;
	for await (const page of walk(read, {...query, role: 'user', ...(from !== undefined && {cursor: from})})) {
		append(
			messages,
			page.items.filter(({createdAt}) => (createdAt ?? since) >= since),
		);
		if (previousPage) direction ??= pageDirection(previousPage, page.items) ?? 'tail';
		lastCursor = page.nextCursor ?? page.cursor;
		const hasOlder = page.items.some(({createdAt}) => createdAt !== undefined && createdAt < since);
		if ((direction === 'tail' && hasOlder) || --pagesLeft === 0) break;
		previousPage = page.items;
	}
	return direction === 'head' && lastCursor !== undefined ? {messages, from: lastCursor} : {messages};
}
