import {z} from 'zod';
import {instantOf} from '../domain/time.ts';

// Lenient schemas for answers: unknown keys are kept, and an optional field of the wrong type counts as absent.

export const lenientText = z.string().optional().catch(undefined);
export const lenientNumber = z.number().optional().catch(undefined);
export const lenientBoolean = z.boolean().optional().catch(undefined);
/** Any notation of a time the service may use, as Unix ms. */
export const lenientInstant = z.unknown().transform(instantOf).optional();
/** An id that must be there. */
export const id = z.string().min(1);
/** The id of an item of a list. Longer than any id it is none: those of a list are in memory all at once. */
export const itemId = id.max(4096);
/** A name, which is one of many in an answer: the beginning of a very long one. */
export const lenientName = z
	.string()
	.transform(text => (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text))
	.optional()
	.catch(undefined);
const maxNameLength = 1024;

/** An object that keeps its unknown keys and loses those that came out absent. */
export function lenientObject<const Shape extends z.ZodRawShape>(shape: Shape) {
	return z.looseObject(shape).transform(withoutAbsent);
}

/** The same, for a part that may be missing or something else altogether. */
export function lenientPart<const Shape extends z.ZodRawShape>(shape: Shape) {
	return lenientObject(shape).optional().catch(undefined);
}

/** An optional list, item by item: what doesn't fit is left out. */
export function lenientList<Item extends z.ZodType>(item: Item) {
	return z
		.array(z.unknown())
		.transform(items => readEach(items, item).items)
		.optional()
		.catch(undefined);
}

/** An optional map of free keys, value by value. */
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

/** Reads a list item by item; one that can't be read is skipped and counted. */
export function readEach<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): {items: z.output<Item>[]; skipped: number} {
	const good: z.output<Item>[] = [];
	for (const raw of items) {
		const read = item.safeParse(raw);
		if (read.success) good.push(read.data);
	}
	return {items: good, skipped: items.length - good.length};
}

/** Items between two steps of `readInSteps`: a fraction of a millisecond. */
const itemsInStep = 100;

/** The same for a list that may be long: it yields from time to time, and whoever goes through it may pause there. */
export function* readInSteps<Item extends z.ZodType>(
	items: readonly unknown[],
	item: Item,
): Generator<void, {items: z.output<Item>[]; skipped: number}> {
	const good: z.output<Item>[] = [];
	for (let from = 0; from < items.length; from += itemsInStep) {
		good.push(...readEach(items.slice(from, from + itemsInStep), item).items);
		yield;
	}
	return {items: good, skipped: items.length - good.length};
}

function withoutAbsent<T extends object>(object: T): T {
	for (const key of Object.keys(object) as (keyof T)[]) {
		if (object[key] === undefined) delete object[key];
	}
	return object;
}
