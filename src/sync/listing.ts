import {walkPages} from '../api/pages.ts';
import type {MessageQuery} from '../api/service.ts';
import type {Message} from '../domain/message.ts';
import type {Page} from '../domain/page.ts';

/** Reads one page of a session's messages. */
export type ReadPage = (query: MessageQuery) => Promise<Page<Message>>;

/**
 * A page and how it was fetched. `cursor` fetched it; `nextCursor` is absent at the end. `isCut`: the service
 * says that there is more, but gives no cursor that leads further.
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

/**
 * Reads a listing page by page from `query` to its end. Pages may be short or empty although more follows; a
 * repeated cursor or many empty pages in a row end the walk. A page that is too large to read is requested in
 * smaller parts.
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
