import {z} from 'zod';
import {type ExtraFields, hasUnreadable} from '../domain/known.ts';
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

/** The items that were dropped from a list, by index. */
const dropped = new WeakMap<readonly unknown[], ReadonlyMap<number, unknown>>();

/** Decodes the items of a list and drops those that can't be read, which `unreadableParts` finds. */
export function keepValid<Item>(
	items: readonly unknown[],
	read: (raw: unknown) => Item | undefined,
): NonNullable<Item>[] {
	const valid: NonNullable<Item>[] = [];
	const others = new Map<number, unknown>();
	for (const [index, raw] of items.entries()) {
		const value = read(raw) ?? undefined;
		if (value === undefined) others.set(index, raw);
		else valid.push(value);
	}
	if (others.size > 0) dropped.set(valid, others);
	return valid;
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

/**
 * Decodes an item. Keeps its parts that can't be read raw in `quarterdeck.unreadable`, where no service can put anything.
 * Returns undefined if the whole item can't be read.
 */
export function readItem<Item extends z.ZodType>(item: Item, raw: unknown): z.output<Item> | undefined {
	const {success, data} = item.safeParse(raw);
	if (!success) return undefined;
	return isObject(data) ? (withUnreadable(raw, data) as z.output<Item>) : data;
}

/** Adds the raw parts that an item lacks. */
export function withUnreadable<Item extends ExtraFields>(raw: unknown, read: Item): Item {
	const unreadable = unreadableParts(raw, read);
	const {quarterdeck: _, ...rest} = read;
	return (unreadable === undefined ? rest : {...rest, quarterdeck: {unreadable}}) as unknown as Item;
}

/** Reads what describes a list; `skipped` is 1 if parts of it can't be read. */
export function readEnvelope<Part extends z.ZodType>(
	part: Part,
	raw: unknown,
): {read: z.output<Part>; skipped: number} {
	const read = part.parse(raw);
	return {read, skipped: unreadableParts(raw, read) === undefined ? 0 : 1};
}

/** The parts of a raw value that `read` lacks, by key or index; undefined if there are none. Null counts as absent. */
function unreadableParts(raw: unknown, read: unknown): unknown {
	if (raw === read || raw === null || raw === undefined) return undefined;
	// A time that there is none of is often sent as 0 or an empty text.
	if (read === undefined) return raw === 0 || raw === '' ? undefined : raw;
	if (Array.isArray(raw) && Array.isArray(read)) {
		const gone = dropped.get(read);
		let next = 0;
		return partsOf(raw.entries(), index => (gone?.has(index) ? undefined : read[next++]));
	}
	return isObject(raw) && isObject(read) ? partsOf(Object.entries(raw), key => read[key]) : undefined;
}

function partsOf<Key extends string | number>(
	entries: Iterable<[Key, unknown]>,
	readAt: (key: Key) => unknown,
): object | undefined {
	const parts: {[key in string | number]: unknown} = {};
	for (const [key, raw] of entries) {
		const part = unreadableParts(raw, readAt(key));
		if (part !== undefined) parts[key] = part;
	}
	return Object.keys(parts).length > 0 ? parts : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decodes a list item by item. `skipped` counts those that can't be read and are dropped, or only in part. */
export function readEach<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): {items: z.output<Item>[]; skipped: number} {
	const valid: z.output<Item>[] = keepValid(items, raw => readItem(item, raw));
	const partial = valid.filter(one => isObject(one) && hasUnreadable(one)).length;
	return {items: valid, skipped: items.length - valid.length + partial};
}

/** Items between two yields of `keepInSteps`: a fraction of a millisecond. */
const itemsInStep = 100;

/** `keepValid` for a list that may be long: yields regularly, where the caller may pause. */
export function* keepInSteps<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): Generator<void, NonNullable<z.output<Item>>[]> {
	const read: (z.output<Item> | undefined)[] = [];
	for (const [index, raw] of items.entries()) {
		read.push(item.safeParse(raw).data);
		if ((index + 1) % itemsInStep === 0) yield;
	}
	let next = 0;
	return keepValid(items, () => read[next++]);
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
	return isObject(response) && Object.hasOwn(response, key) ? response[key] : undefined;
}

function malformed(how: string): MalformedError {
	return new MalformedError(`The service's response ${how}.`, {
		reason: 'shape',
		hint: 'Check the address, and that the service has the version of the API that this program uses.',
	});
}
