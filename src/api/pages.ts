import type {ReadinessReport} from '../domain/readiness.ts';
import type {CallOptions, PageQuery, ReadinessQuery, ReportPage} from './service.ts';

/** A page of any list with cursors: v0 lists have `items`, analytics users `rows`. */
type Paged = {
	readonly hasMore: boolean;
	readonly nextCursor?: string;
	readonly items?: readonly unknown[];
	readonly rows?: readonly unknown[];
};

/**
 * Why a walk ended. `end`: everything was read. The others say that the service claims more and gives no way on:
 * no cursor, one that was used before, or only empty pages.
 */
export type WalkEnd = 'end' | 'no-cursor' | 'repeated-cursor' | 'empty-pages';

/** Pages may be empty and still say that there is more (SERVICE-NOTES, trap 6): so many in a row are walked on. */
const mostEmptyPages = 20;

/**
 * Walks a list page by page from `query` on, by `pagination.nextCursor` or `meta.next_cursor`. Each page is asked
 * for when it is taken. The iterator's return value says whether the list is whole. Throws what `call` throws.
 */
export async function* pagesOf<Query extends PageQuery, Page extends Paged>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options?: CallOptions,
): AsyncGenerator<Page, WalkEnd, undefined> {
	const used = new Set<string>();
	let empty = 0;
	let cursor = query.cursor;
	for (;;) {
		if (cursor !== undefined) used.add(cursor);
		const page = await call(cursor === undefined ? query : {...query, cursor}, options);
		yield page;
		if (!page.hasMore) return 'end';
		if (page.nextCursor === undefined) return 'no-cursor';
		if (used.has(page.nextCursor)) return 'repeated-cursor';
		empty = (page.items ?? page.rows ?? []).length === 0 ? empty + 1 : 0;
		if (empty >= mostEmptyPages) return 'empty-pages';
		cursor = page.nextCursor;
	}
}

/**
 * Walks readiness reports by `startAfter` (contract 4.1): until a page is empty or brings nothing new. Reports that
 * were given before are left out.
 */
export async function* reportsOf(
	call: (query: ReadinessQuery, options?: CallOptions) => Promise<ReportPage>,
	query: ReadinessQuery,
	options?: CallOptions,
): AsyncGenerator<ReportPage, void, undefined> {
	const seen = new Set<string>();
	let startAfter = query.startAfter;
	for (;;) {
		const page = await call(startAfter === undefined ? query : {...query, startAfter}, options);
		const items: ReadinessReport[] = [];
		for (const report of page.items) {
			if (!seen.has(report.reportId)) items.push(report);
			seen.add(report.reportId);
		}
		const last = page.items.at(-1);
		if (items.length > 0 || page.skipped > 0) yield {items, skipped: page.skipped};
		if (!last || items.length === 0 || items.at(-1) !== last) return;
		startAfter = last.reportId;
	}
}
