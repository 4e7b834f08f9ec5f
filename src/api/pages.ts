import {createBoundedTextSet} from './bounded-text-set.ts';
import {MalformedError} from './errors.ts';
import type {CallOptions, PageQuery, ReadinessQuery, ReportPage} from './service.ts';

/** A page of any list with cursors: v0 lists have `items`, analytics users `rows`. */
type Paged = {
	readonly hasMore: boolean;
	readonly nextCursor?: string;
	readonly items?: readonly unknown[];
	readonly rows?: readonly unknown[];
};

/**
 * Why a walk ended. `end`: everything was read. The others say that the service claims more and gives no way on: no
 * cursor, one that was used before, only empty pages, or an item too large to be read after some that were not.
 */
export type WalkEnd = 'end' | 'no-cursor' | 'repeated-cursor' | 'empty-pages' | 'too-large';

/** A page may be empty and still say `hasMore`. A walk gives up after this many empty pages in a row. */
const maxEmptyPages = 20;

/**
 * Walks a list page by page from `query` on, by `pagination.nextCursor` or `meta.next_cursor`. Each page is asked
 * for when it is taken, and none is kept: a list without an end takes no more memory than a short one. The iterator's
 * return value says whether the list is whole. Throws what `call` throws.
 */
export async function* pagesOf<Query extends PageQuery, Page extends Paged>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options?: CallOptions,
): AsyncGenerator<Page, WalkEnd, undefined> {
	const used = createBoundedTextSet();
	const read = createPageReader(call, query, options);
	let empty = 0;
	let {cursor} = query;
	if (cursor !== undefined) used.isNew(cursor);
	for (;;) {
		const page = await read((cursor === undefined ? {} : {cursor}) as Partial<Query>);
		if (page === 'too-large') return page;
		yield page;
		if (!page.hasMore) return 'end';
		if (page.nextCursor === undefined) return 'no-cursor';
		if (!used.isNew(page.nextCursor)) return 'repeated-cursor';
		empty = (page.items ?? page.rows ?? []).length === 0 ? empty + 1 : 0;
		if (empty >= maxEmptyPages) return 'empty-pages';
		cursor = page.nextCursor;
	}
}

/**
 * Walks readiness reports, passing the id of each page's last report as `startAfter`, until a page is empty or holds
 * nothing new. Skips reports that were already given. Returns `repeated-cursor` when a full page held nothing new, so
 * that the walk can't go on.
 */
export async function* reportsOf(
	call: (query: ReadinessQuery, options?: CallOptions) => Promise<ReportPage>,
	query: ReadinessQuery,
	options?: CallOptions,
): AsyncGenerator<ReportPage, WalkEnd, undefined> {
	const seen = createBoundedTextSet();
	const read = createPageReader(call, query, options);
	let {startAfter} = query;
	for (;;) {
		const page = await read(startAfter === undefined ? {} : {startAfter});
		if (page === 'too-large') return page;
		const items = page.items.filter(({reportId}) => seen.isNew(reportId));
		const last = page.items.at(-1);
		if (items.length > 0 || page.skipped > 0) yield {items, skipped: page.skipped};
		if (!last) return 'end';
		if (items.at(-1) !== last) {
			const isFull = page.items.length + page.skipped >= (query.limit ?? 1);
			return isFull && items.length === 0 ? 'repeated-cursor' : 'end';
		}
		startAfter = last.reportId;
	}
}

/**
 * Reads pages of a list. One that is too large to be read is asked for in smaller parts, down to a single item: when even
 * that is too large, the first page throws and any other one ends the walk.
 */
function createPageReader<Query extends {readonly limit?: number}, Page>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options: CallOptions | undefined,
): (place: Partial<Query>) => Promise<Page | 'too-large'> {
	let {limit} = query;
	let isFirst = true;
	return async place => {
		for (;;) {
			try {
				const page = await call({...query, ...place, ...(limit !== undefined && {limit})}, options);
				isFirst = false;
				return page;
			} catch (error) {
				if (!(error instanceof MalformedError) || error.reason !== 'too-large') throw error;
				if (limit === 1 && !isFirst) return 'too-large';
				if (limit === 1) throw error;
				limit = Math.max(1, Math.floor((limit ?? defaultLimit) / 4));
			}
		}
	};
}

/** The page size the service uses when no limit is sent. */
const defaultLimit = 20;
