import {z} from 'zod';
import {schemaWords} from '../../config/schema-words.ts';
import {characterCount} from '../../domain/limits.ts';
import {badField, Refusal} from './router.ts';

/** A string whose length is counted in characters, as in the contract. */
export function text(min: number, max: number) {
	return z.string().refine(
		value => {
			const length = characterCount(value);
			return length >= min && length <= max;
		},
		{error: `must have ${min} to ${max} characters`},
	);
}

/** Query `limit` of a list endpoint: digits, 1-100. */
const pageLimitField = z
	.string()
	.regex(/^\d{1,3}$/, {error: 'must be a number from 1 to 100'})
	.transform(Number)
	.refine(value => value >= 1 && value <= 100, {error: 'must be from 1 to 100'})
	.default(20);

export const pageQuery = {limit: pageLimitField, cursor: z.string().optional()};

/** Parses a body strictly: unknown fields are errors. Throws `Refusal` 400 that names the fields. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
	return parse(schema, body === undefined ? {} : body);
}

/** Parses a query strictly: unknown and repeated parameters are errors. Throws `Refusal` 400. */
export function parseQuery<T>(schema: z.ZodType<T>, query: URLSearchParams): T {
	const names = [...query.keys()];
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated !== undefined) throw badField(repeated, 'is repeated');
	return parse(schema, Object.fromEntries(query));
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
	const result = schema.safeParse(value, {error: schemaWords});
	if (result.success) return result.data;
	const errors = result.error.issues.map(({path, message}) => ({path: path.join('.'), message}));
	const detail = errors.map(({path, message}) => (path === '' ? message : `${path}: ${message}`)).join('; ');
	throw new Refusal(400, detail, errors);
}

/** Maximum page size in bytes, by worst-case estimate: clients reject much longer bodies. */
const maxWeight = 6 * 1024 * 1024;

type Page<T> = {
	readonly items: readonly T[];
	readonly pagination: {readonly hasMore: boolean; readonly nextCursor: string};
};

/**
 * Reads the page that a request asks for. It also ends when the sum of `weightOf` reaches `maxWeight`, but has at least
 * one item.
 */
export function readPage<T>(
	list: string,
	{limit, cursor}: {readonly limit: number; readonly cursor?: string | undefined},
	read: (after: number | undefined, count: number) => readonly T[],
	positionOf: (row: T) => number,
	weightOf: (row: T) => number = () => 0,
): Page<T> {
	const rows = read(decodeCursor(list, cursor), limit + 1);
	let weight = 0;
	const firstBeyond = rows.findIndex((row, index) => {
		weight += weightOf(row);
		return index > 0 && weight > maxWeight;
	});
	const count = Math.min(limit, firstBeyond === -1 ? rows.length : firstBeyond);
	const items = rows.slice(0, count);
	const last = items.at(-1);
	const hasMore = rows.length > count;
	const nextCursor = hasMore && last !== undefined ? encodeCursor(list, positionOf(last)) : '';
	return {items, pagination: {hasMore, nextCursor}};
}

/** Encodes a list's name and the position to continue from. Opaque to clients. */
export function encodeCursor(list: string, position: number): string {
	return Buffer.from(`${list} ${position}`).toString('base64url');
}

/** The position in a cursor of this list, if given. Throws `Refusal` 400 for any other cursor. */
export function decodeCursor(list: string, cursor: string | undefined): number | undefined {
	if (cursor === undefined) return undefined;
	const [name, position] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
	if (name !== list || position === undefined || !/^\d{1,15}$/.test(position))
		throw badField('cursor', 'is not a cursor of this list');
	return Number(position);
}
