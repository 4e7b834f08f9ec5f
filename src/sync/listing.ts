import {walkPages} from '../api/pages.ts';
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

/**
 * Follows a listing from `query` on to its end, page by page. Pages may be short or empty and still say that more
 * follows; a cursor that comes twice, or many empty pages in a row, end the walk. A page too large to be read is
 * asked for in smaller parts.
 */
export async function* walk(read: ReadPage, query: MessageQuery): AsyncGenerator<WalkedPage> {
	for await (const {page, cursor, next, end} of walkPages(read, {limit: fullPage, ...query}))
		yield {
			items: page.items,
			...(cursor !== undefined && {cursor}),
			...(next !== undefined && {nextCursor: next}),
			...((end === 'repeated-cursor' || end === 'empty-pages') && {isCut: true}),
			...(end === 'end' && {isEnd: true}),
		};
}
