import {z} from 'zod';
import {instantOf} from '../domain/time.ts';

// Lenient schemas for responses: they keep unknown keys and treat optional fields of the wrong type as
// absent.

export const lenientText = z.string().optional().catch(undefined);
export const lenientNumber = z.number().optional().catch(undefined);
export const lenientBoolean = z.boolean().optional().catch(undefined);
/** Any time format the service may use, as Unix ms. */
export const lenientInstant = z.unknown().transform(instantOf).optional();
/** A required id. */
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
		.transform(items => readEach(items, item).items)
		.optional()
		.catch(undefined);
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

/** Decodes a list item by item; skips and counts invalid items. */
export function readEach<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): {items: z.output<Item>[]; skipped: number} {
	const valid: z.output<Item>[] = [];
	for (const raw of items) {
		const read = item.safeParse(raw);
		if (read.success) valid.push(read.data);
	}
	return {items: valid, skipped: items.length - valid.length};
}

/** Items between two yields of `readInSteps`: a fraction of a millisecond. */
const itemsInStep = 100;

/** `readEach` for a list that may be long: yields regularly, where the caller may pause. */
export function* readInSteps<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): Generator<void, {items: z.output<Item>[]; skipped: number}> {
	const valid: z.output<Item>[] = [];
	for (let from = 0; from < items.length; from += itemsInStep) {
		valid.push(...readEach(items.slice(from, from + itemsInStep), item).items);
		yield;
	}
	return {items: valid, skipped: items.length - valid.length};
}

function withoutAbsent<T extends object>(object: T): T {
	for (const key of Object.keys(object) as (keyof T)[]) {
		if (object[key] === undefined) delete object[key];
	}
	return object;
}
