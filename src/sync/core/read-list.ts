import {BoundedTextSet} from '../../api/bounded-text-set.ts';
import type {MessageQuery} from '../../api/messages.ts';
import {type WalkEnd, walkPages} from '../../api/pages.ts';
import {createListBudget} from '../../domain/list-budget.ts';
import type {Message} from '../../domain/messages/message.ts';
import type {Page} from '../../domain/page.ts';
import {thousands} from '../../domain/thousands.ts';
import type {Gaps} from './reading-gaps.ts';

/** Reads one page of a session's messages. */
export type ReadPage = (query: MessageQuery) => Promise<Page<Message>>;

/**
 * A page and how it was fetched. `cursor` fetched it; `nextCursor` is absent at the end. `isCut`: the service
 * says that there is more, but no cursor leads further.
 */
export type WalkedPage = {
	readonly items: readonly Message[];
	readonly cursor?: string;
	readonly nextCursor?: string;
	readonly isCut?: true;
	/** The service says that this is the last page. */
	readonly isEnd?: true;
};

export const fullPage = 100;

/** Pages in a row whose messages were all on earlier pages of the walk: after these, it ends. */
const maxRepeatedPages = 3;

/**
 * Reads a listing page by page from `query` to its end. Pages may be short or empty although more follows; a
 * repeated cursor, many empty pages in a row or repeated ones end the walk. A page that is too large to read is
 * requested in smaller parts.
 */
export async function* walk(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
	const ids = new BoundedTextSet();
	let repeated = 0;
	for await (const {page, cursor, next, end} of walkPages(read, {limit: fullPage, ...query})) {
		if (page.items.filter(({id}) => ids.add(id)).length > 0) repeated = 0;
		else if (page.items.length > 0) repeated++;
		const isLooping = next !== undefined && repeated >= maxRepeatedPages;
		yield {
			items: page.items,
			...(cursor !== undefined && {cursor}),
			...(next !== undefined && !isLooping && {nextCursor: next}),
			...((isLooping || end === 'repeated-cursor' || end === 'empty-pages') && {isCut: true}),
			...(end === 'end' && {isEnd: true}),
		};
		if (isLooping) return;
	}
}

export type ListPages<Item> = AsyncGenerator<
	{readonly items: readonly Item[]; readonly skipped: number},
	WalkEnd
>;

export type ListReading<Item, Kept> = {
	/** Name of the items in notes, such as `users`. */
	readonly what: string;
	/** Id of an item; an item with a known id is skipped. */
	readonly idOf: (item: Item) => string | number;
	/** Returns the part of an item to keep in memory. */
	readonly keep: (item: Item) => Kept;
	readonly onRead: (count: number) => void;
};

/** Pages in a row without a new item after which reading stops. */
const maxStalePages = 100;

/** Reads a list into memory, page by page, to its end or until memory is full (`domain/list-budget.ts`). */
export async function readList<Item, Kept>(
	pages: ListPages<Item>,
	{what, idOf, keep, onRead}: ListReading<Item, Kept>,
): Promise<{readonly items: readonly Kept[]; readonly gaps: Gaps}> {
	const budget = createListBudget();
	const ids = new Set<string | number>();
	const items: Kept[] = [];
	let skipped = 0;
	let stalePages = 0;
	try {
		for (;;) {
			const {value, done} = await pages.next();
			if (done) {
				return {items, gaps: {skipped, end: value}};
			}
			skipped += value.skipped;
			const before = items.length;
			for (const item of value.items) {
				const id = idOf(item);
				if (ids.has(id)) continue;
				const entry = keep(item);
				if (!budget.take(entry)) {
					const cut = `first ${thousands(items.length)} ${what} shown; the service has more`;
					return {items, gaps: {skipped, end: 'full', cut}};
				}
				ids.add(id);
				items.push(entry);
			}
			onRead(items.length);
			stalePages = items.length === before ? stalePages + 1 : 0;
			if (stalePages >= maxStalePages) return {items, gaps: {skipped, end: 'repeated-cursor'}};
		}
	} finally {
		await pages.return('end');
	}
}
