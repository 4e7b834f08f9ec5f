import type {MessageQuery} from '../../api/messages.ts';
import {append} from '../../domain/large-arrays.ts';
import type {Message} from '../../domain/messages/message.ts';
import {type PageOrder, pageOrderOf} from '../../domain/order.ts';
import {type ReadPage, walk} from './pages.ts';

const maxPages = 20;

/** Messages, and the cursor to continue from if the service lists the oldest first. */
type RecentMessages = {readonly messages: readonly Message[]; readonly from?: string};

/**
 * Reads the user messages of a session created at or after `since` (Unix ms), in whichever order the
 * service lists them. If the newest come first, reads until a page holds older ones. If the oldest come
 * first, reads to the end; pass `from` to continue there next time. If the order is unknown, the second
 * page decides.
 */
export async function readRecentUserMessages(
	read: ReadPage,
	query: MessageQuery,
	{since, pageOrder, from}: {since: number; pageOrder?: PageOrder; from?: string},
): Promise<RecentMessages> {
	const messages: Message[] = [];
	let order = from === undefined ? pageOrder : 'oldest-first';
	let lastCursor = from;
	let previousPage: readonly Message[] | undefined;
	let pagesLeft = maxPages;
	for await (const page of walk(read, {...query, role: 'user', ...(from !== undefined && {cursor: from})})) {
		append(
			messages,
			page.items.filter(({createdAt}) => (createdAt ?? since) >= since),
		);
		if (previousPage) order ??= pageOrderOf(previousPage, page.items) ?? 'newest-first';
		lastCursor = page.nextCursor ?? page.cursor;
		const hasOlder = page.items.some(({createdAt}) => createdAt !== undefined && createdAt < since);
		if ((order === 'newest-first' && hasOlder) || --pagesLeft === 0) break;
		previousPage = page.items;
	}
	return order === 'oldest-first' && lastCursor !== undefined ? {messages, from: lastCursor} : {messages};
}
