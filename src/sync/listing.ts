import {MalformedError} from '../api/errors.ts';
import type {MessageQuery} from '../api/service.ts';
import type {Message} from '../domain/message.ts';
import type {Page} from '../domain/page.ts';

/** Reads one page of a session's messages. */
export type ReadPage = (query: MessageQuery) => Promise<Page<Message>>;

/**
 * A page and how it was got. `cursor` fetched it; `nextCursor` is absent at the end. `isCut`: the service says that more
 * follows, but not by a cursor that leads on.
 */
export type WalkedPage = {
	readonly items: readonly Message[];
	readonly cursor?: string;
	readonly nextCursor?: string;
	readonly isCut?: true;
	/** The service says that nothing follows. */
	readonly isEnd?: true;
};

export const fullPage = 100;
const emptyInARow = 20;

/**
 * Follows a listing from `query` on to its end, page by page. Pages may be short or empty and still say that more
 * follows; a cursor that comes twice, or many empty pages in a row, end the walk. A page too large to be read is
 * asked for in smaller parts.
 */
export async function* walk(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
	const used = new Set<string>();
	let {limit = fullPage, cursor} = query;
	let empty = 0;
	for (;;) {
		let page: Page<Message>;
		try {
			page = await read({...query, limit, ...(cursor !== undefined && {cursor})});
		} catch (error) {
			if (!(error instanceof MalformedError) || error.reason !== 'too-large' || limit === 1) throw error;
			limit = Math.max(1, Math.floor(limit / 4));
			continue;
		}
		if (cursor !== undefined) used.add(cursor);
		empty = page.items.length === 0 ? empty + 1 : 0;
		const next = page.hasMore ? page.nextCursor : undefined;
		const isOver = next === undefined || used.has(next) || empty >= emptyInARow;
		yield {
			items: page.items,
			...(cursor !== undefined && {cursor}),
			...(!isOver && {nextCursor: next}),
			...(isOver && next !== undefined && {isCut: true}),
			...(!page.hasMore && {isEnd: true}),
		};
		if (isOver) return;
		cursor = next;
	}
}
