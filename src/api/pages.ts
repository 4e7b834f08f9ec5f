import type {CallOptions} from './client.ts';
import {MalformedError} from './errors.ts';
import type {ReadinessQuery, ReportPage} from './readiness.ts';
import type {PageQuery} from './request-schemas.ts';

/** A page of any list with cursors: v0 lists have `items`, analytics users `rows`. */
type Paged = {
	readonly hasMore: boolean;
	readonly nextCursor?: string;
	readonly items?: readonly unknown[];
	readonly rows?: readonly unknown[];
};

/**
 * Why a walk ended. `end`: everything was read. Otherwise the service has more pages, but they can't be
 * read: no cursor, a repeated cursor, only empty pages, or an item too large to read after others were read; or there are
 * more than fit in memory (`full`).
 */
export type WalkEnd = 'end' | 'no-cursor' | 'repeated-cursor' | 'empty-pages' | 'too-large' | 'full';

/** A page may be empty and still say `hasMore`. A walk gives up after this many empty pages in a row. */
const maxEmptyPages = 20;

/** One page of a walk. `cursor` fetched it; `next` fetches the next page, or `end` says why there is none. */
type WalkStep<Page> = {
	readonly page: Page;
	readonly cursor?: string;
	readonly next?: string;
	readonly end?: WalkEnd;
};

/**
 * Walks a list page by page from `query` on, following `pagination.nextCursor` or `meta.next_cursor`. Fetches
 * each page on demand and keeps none. Throws
 * what `call` throws.
 */
export async function* walkPages<Query extends PageQuery, Page extends Paged>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options?: CallOptions,
): AsyncGenerator<WalkStep<Page>, void, undefined> {
	const used = new Set<string>();
	const read = createPageReader(call, query, options);
	let empty = 0;
	let {cursor} = query;
	if (cursor !== undefined) used.add(cursor);
	for (;;) {
		const page = await read((cursor === undefined ? {} : {cursor}) as Partial<Query>);
		const {hasMore, nextCursor: next} = page;
		empty = (page.items ?? page.rows ?? []).length === 0 ? empty + 1 : 0;
		const step = {page, cursor};
		if (!hasMore) return yield {...step, end: 'end'};
		if (next === undefined) return yield {...step, end: 'no-cursor'};
		if (!addNew(used, next)) return yield {...step, end: 'repeated-cursor'};
		if (empty >= maxEmptyPages) return yield {...step, end: 'empty-pages'};
		yield {...step, next};
		cursor = next;
	}
}

/**
 * The pages of `walkPages`; the iterator's return value says why the walk ended. An item too large to read
 * ends it, or throws if it is on the first page.
 */
export async function* pagesOf<Query extends PageQuery, Page extends Paged>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options?: CallOptions,
): AsyncGenerator<Page, WalkEnd, undefined> {
	const steps = walkPages(call, query, options);
	for (let isFirst = true; ; isFirst = false) {
		const step = await unlessTooLarge(steps.next(), isFirst);
		if (step === 'too-large') return step;
		if (step.done) return 'end';
		yield step.value.page;
		if (step.value.end) return step.value.end;
	}
}

/**
 * Walks readiness reports, passing the id of each page's last report as `startAfter`, until a page is empty
 * or holds nothing new. Skips reports already yielded. Returns `repeated-cursor` if a full page holds nothing
 * new, since the walk can't continue.
 */
export async function* reportsOf(
	call: (query: ReadinessQuery, options?: CallOptions) => Promise<ReportPage>,
	query: ReadinessQuery,
	options?: CallOptions,
): AsyncGenerator<ReportPage, WalkEnd, undefined> {
	const yielded = new Set<string>();
	const read = createPageReader(call, query, options);
	let {startAfter} = query;
	for (let isFirst = true; ; isFirst = false) {
		const page = await unlessTooLarge(read(startAfter === undefined ? {} : {startAfter}), isFirst);
		if (page === 'too-large') return page;
		const items = page.items.filter(({reportId}) => addNew(yielded, reportId));
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

/** Reads pages of a list. Retries a page that is too large with a smaller limit, down to a single item. */
function createPageReader<Query extends {readonly limit?: number}, Page>(
	call: (query: Query, options?: CallOptions) => Promise<Page>,
	query: Query,
	options: CallOptions | undefined,
): (cursor: Partial<Query>) => Promise<Page> {
	let {limit} = query;
	return async cursor => {
		for (;;) {
			try {
				return await call({...query, ...cursor, limit}, options);
			} catch (error) {
				if (!isTooLarge(error) || limit === 1) throw error;
				limit = Math.max(1, Math.floor((limit ?? defaultLimit) / 4));
			}
		}
	};
}

/** Returns `too-large` instead of throwing that error, unless `isFirst`. */
async function unlessTooLarge<Result>(
	reading: Promise<Result>,
	isFirst: boolean,
): Promise<Result | 'too-large'> {
	try {
		return await reading;
	} catch (error) {
		if (isFirst || !isTooLarge(error)) throw error;
		return 'too-large';
	}
}

function isTooLarge(error: unknown): boolean {
	return error instanceof MalformedError && error.reason === 'too-large';
}

/** The page size the service uses when no limit is sent. */
const defaultLimit = 20;

/** Adds a text to those seen so far, and returns whether it was new. */
export function addNew(seen: Set<string>, text: string): boolean {
	const isNew = !seen.has(text);
	seen.add(text);
	return isNew;
}
