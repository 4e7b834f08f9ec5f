import type {WalkEnd} from '../../api/pages.ts';
import {createListBudget} from '../../domain/list-budget.ts';
import {thousands} from '../../domain/thousands.ts';
import type {Gaps} from '../core/reading-gaps.ts';

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
