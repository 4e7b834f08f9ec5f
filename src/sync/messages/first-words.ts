import type {ListingState} from '../../db/database.ts';
import {explicitRole} from '../../domain/messages/roles.ts';
import {oldestFirst, type PageDirection} from '../../domain/order.ts';
import {firstUserWords, type RoledMessage} from '../../domain/sessions/activity.ts';
import {fullPage, type ReadPage, walk} from '../core/read-list.ts';

type Listing = {
	readonly pages: PageDirection | undefined;
	readonly inside: ListingState['inside'];
	/** The newest messages, with their roles as far as known. */
	readonly newest: readonly RoledMessage[];
};

/** Pages of user messages read at most: a session with more of them keeps its id as its name. */
const maxPages = 5;
/** Messages per page where the first page holds the oldest: the first of them are often invisible. */
const headPage = 20;

/**
 * Reads the first words of a session's first user message from the `role=user` listing; `undefined` if it has none
 * or too many messages. `unknown`: the newest messages don't tell whether the service filters by role.
 */
export async function readFirstWords(
	read: ReadPage,
	{pages, inside, newest}: Listing,
): Promise<{readonly words: string} | 'unknown' | undefined> {
	const others = new Set(newest.flatMap(({message, role}) => (role && role !== 'user' ? [message.id] : [])));
	if (others.size === 0) return 'unknown';
	const isHead = pages === 'head';
	let words: string | undefined;
	let count = 0;
	for await (const {items, isEnd} of walk(read, {role: 'user', limit: isHead ? headPage : fullPage})) {
		if (items.some(({id}) => others.has(id))) return undefined;
		const messages = oldestFirst(items, inside).map((message): RoledMessage => {
			return {message, role: explicitRole(message).role ?? 'user'};
		});
		const found = firstUserWords(messages);
		if (isHead && found !== undefined) return {words: found};
		words = found ?? words;
		if (isEnd) break;
		if (++count === maxPages) return undefined;
	}
	return words === undefined ? undefined : {words};
}
