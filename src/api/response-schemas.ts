import {z} from 'zod';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import {instantOf} from '../domain/time.ts';
import {MalformedError} from './errors.ts';

// Lenient schemas for responses: they keep unknown keys and treat optional fields of the wrong type as
// absent.

export const lenientText = z.string().optional().catch(undefined);
export const lenientNumber = z.number().optional().catch(undefined);
export const lenientBoolean = z.boolean().optional().catch(undefined);
/** Any time format the service may use, as Unix ms. */
export const lenientInstant = z.unknown().transform(instantOf).optional();
export const id = z.string().min(1);
/** The id of a list item, limited in length because all ids of a list are in memory together. */
export const itemId = id.max(4096);
/** A name, one of many in a response; a very long one is truncated. */
export const lenientName = z
	.string()
	.transform(text => (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text))
	.optional()
	.catch(undefined);
const maxNameLength = 1024;

/** An object that keeps its unknown keys; keys that decode to undefined are removed. */
export function lenientObject<const Shape extends z.ZodRawShape>(shape: Shape) {
	return z.looseObject(shape).transform(withoutAbsent);
}

/** A `lenientObject` that may be missing or of another type. */
export function lenientPart<const Shape extends z.ZodRawShape>(shape: Shape) {
	return lenientObject(shape).optional().catch(undefined);
}

/** An optional list; invalid items are dropped. */
export function lenientList<Item extends z.ZodType>(item: Item) {
	return z
		.array(z.unknown())
		.transform(items => keepValid(items, raw => item.safeParse(raw).data))
		.optional()
		.catch(undefined);
}

/** Decodes the items of a list and drops those that can't be read. */
export function keepValid<Item>(
	items: readonly unknown[],
	read: (raw: unknown) => Item | undefined,
): NonNullable<Item>[] {
	return items.map(raw => read(raw) ?? undefined).filter(item => item !== undefined);
}

/** An optional map with arbitrary keys; invalid values are dropped. */
export function lenientMap<Value extends z.ZodType>(value: Value) {
	return z
		.looseObject({})
		.transform(map => {
			const entries = Object.entries(map).flatMap(([key, raw]): [string, z.output<Value>][] => {
				const read = value.safeParse(raw);
				return read.success ? [[key, read.data]] : [];
			});
			return Object.fromEntries(entries);
		})
		.optional()
		.catch(undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decodes a list item by item. `skipped` counts those that can't be read and are dropped. */
export function readEach<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): {items: z.output<Item>[]; skipped: number} {
	const valid: z.output<Item>[] = keepValid(items, raw => item.safeParse(raw).data);
	return {items: valid, skipped: items.length - valid.length};
}

/** Items between two yields of `keepInSteps`: a fraction of a millisecond. */
const itemsInStep = 100;

/** `keepValid` for a list that may be long: yields regularly, where the caller may pause. */
export function* keepInSteps<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): Generator<void, NonNullable<z.output<Item>>[]> {
	const valid: NonNullable<z.output<Item>>[] = [];
	for (const [index, raw] of items.entries()) {
		const read = item.safeParse(raw).data ?? undefined;
		if (read !== undefined) valid.push(read);
		if ((index + 1) % itemsInStep === 0) yield;
	}
	return valid;
}

function withoutAbsent<T extends object>(object: T): T {
	for (const key of Object.keys(object) as (keyof T)[]) {
		if (object[key] === undefined) delete object[key];
	}
	return object;
}

const pagination = lenientPart({hasMore: lenientBoolean, nextCursor: lenientText});

/** Decodes a response that is one object. Throws `MalformedError`. */
export function readOne<Item extends z.ZodType>(response: unknown, item: Item, name: string): z.output<Item> {
	const read = item.safeParse(response);
	if (read.success) return read.data;
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
	const {hasMore, nextCursor} = pagination.parse(partOf(response, 'pagination')) ?? {};
	const isUntold = hasMore === undefined && nextCursor === undefined;
	return {
		items,
		skipped,
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
	return isObject(response) && Object.hasOwn(response, key) ? response[key] : undefined;
}

function malformed(how: string): MalformedError {
	return new MalformedError(`The service's response ${how}.`, {
		reason: 'shape',
		hint: 'Check the address, and that the service has the version of the API that this program uses.',
	});
}
