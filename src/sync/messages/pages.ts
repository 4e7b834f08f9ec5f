import {BoundedTextSet} from '../../api/bounded-text-set.ts';
import {RejectedError} from '../../api/errors.ts';
import type {MessageQuery} from '../../api/messages.ts';
import {walkPages} from '../../api/pages.ts';
import {routeOf} from '../../domain/known.ts';
import type {Message} from '../../domain/messages/message.ts';
import type {Page} from '../../domain/page.ts';
import type {RequestOptions} from '../core/scheduler.ts';
import type {EngineParts} from '../engine-parts.ts';

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

/** Returns a function that reads pages of a session's messages from its computer, when it is their turn. */
export function createPageReader(
	{scheduler, service, registry}: Pick<EngineParts, 'scheduler' | 'service' | 'registry'>,
	sessionId: string,
	options: RequestOptions & {
		/** Called with the number of items on a page that could not be read. */
		readonly onSkipped?: (count: number) => void;
	},
): ReadPage {
	const readPage: ReadPage = async query => {
		const page = await scheduler.request(
			`session:${sessionId}`,
			signal => service.messages.list(sessionId, query, {signal}),
			options,
		);
		if (page.skipped > 0) options.onSkipped?.(page.skipped);
		return page;
	};
	return query => atComputer(readPage, routeOf(registry.session(sessionId)))(query);
}

/** Asks this computer for pages. Their cursors are good for it alone: any other is rejected without a request. */
export function atComputer(read: ReadPage, computerId: string | undefined): ReadPage {
	const mark = `${computerId ?? ''}|`;
	return async ({cursor, ...query}) => {
		if (cursor !== undefined && !cursor.startsWith(mark))
			throw new RejectedError('The cursor is for another computer.', {hint: 'Start over.', status: 400});
		const page = await read({
			...query,
			...(computerId !== undefined && {computerId}),
			...(cursor !== undefined && {cursor: cursor.slice(mark.length)}),
		});
		return {...page, ...(page.nextCursor !== undefined && {nextCursor: mark + page.nextCursor})};
	};
}

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
			cursor,
			...(next !== undefined && !isLooping && {nextCursor: next}),
			...((isLooping || end === 'repeated-cursor' || end === 'empty-pages') && {isCut: true}),
			...(end === 'end' && {isEnd: true}),
		};
		if (isLooping) return;
	}
}
