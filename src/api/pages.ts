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

/** Pages may be empty and still say that there is more (SERVICE-NOTES, trap 6): so many in a row are walked on. */
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
 * Walks readiness reports by `startAfter` (contract 4.1): until a page is empty or brings nothing new. Reports that
 * were given before are left out. The return value is `repeated-cursor` when a full page brought nothing new, so that
 * there is no way on.
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

/** The service's own limit where none is given (contract, section 8). */
const defaultLimit = 20;
