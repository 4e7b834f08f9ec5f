import type {z} from 'zod';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import {MalformedError} from './errors.ts';
import {
	lenientBoolean,
	lenientPart,
	lenientText,
	readEach,
	readEnvelope,
	readItem,
} from './response-schemas.ts';

const pagination = lenientPart({hasMore: lenientBoolean, nextCursor: lenientText});

/** Decodes a response that is one object. Throws `MalformedError`. */
export function readOne<Item extends z.ZodType>(response: unknown, item: Item, name: string): z.output<Item> {
	const read = readItem(item, response);
	if (read !== undefined) return read;
	throw malformed(`is not a ${name}`);
}

/**
 * Decodes a page of a v0 list: `{[key]: [...], pagination: {hasMore, nextCursor}}`. Without the pagination, a page with
 * `limit` items may not be the last one. Throws `MalformedError`.
 */
export function readPage<Item extends z.ZodType>(
	response: unknown,
	key: string,
	item: Item,
	limit: number = pageLimit.default,
): Page<z.output<Item>> {
	const list = listIn(response, key);
	const {items, skipped} = readEach(list, item);
	const told = readEnvelope(pagination, partOf(response, 'pagination'));
	const {hasMore, nextCursor} = told.read ?? {};
	const isUntold = hasMore === undefined && nextCursor === undefined;
	return {
		items,
		skipped: skipped + told.skipped,
		...readCursor(isUntold ? list.length >= limit : hasMore, nextCursor),
	};
}

/**
 * Normalizes pagination: a cursor counts only if there is more, and without `hasMore` a cursor implies that
 * there is.
 */
export function readCursor(
	hasMore: boolean | undefined,
	nextCursor: string | undefined,
): {hasMore: boolean; nextCursor?: string} {
	const cursor = nextCursor === '' ? undefined : nextCursor;
	const isMore = hasMore ?? cursor !== undefined;
	return {hasMore: isMore, ...(isMore && cursor !== undefined && {nextCursor: cursor})};
}

/** The list of an envelope. Throws `MalformedError` if it is missing; nothing else fails a page. */
export function listIn(response: unknown, key: string): readonly unknown[] {
	const list = partOf(response, key);
	if (Array.isArray(list)) return list;
	throw malformed(`has no list "${key}"`);
}

export function partOf(response: unknown, key: string): unknown {
	const isObject = typeof response === 'object' && response !== null;
	return isObject && Object.hasOwn(response, key) ? (response as Record<string, unknown>)[key] : undefined;
}

function malformed(how: string): MalformedError {
	return new MalformedError(`The service's response ${how}.`, {
		reason: 'shape',
		hint: 'Check the address, and that the service has the version of the API that this program uses.',
	});
}
