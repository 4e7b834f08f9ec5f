import {z} from 'zod';
import {schemaWords} from '../../config/schema-words.ts';
import {characterCount} from '../../domain/limits.ts';
import {badField, Refusal} from './refusal.ts';

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
