import {z} from 'zod';
import {characterCount, isUri, pageLimit} from '../domain/limits.ts';
import {ValidationError} from './errors.ts';

// Schemas for requests: only the contract's fields, within its limits.

/** Text of `min` to `max` characters. */
export function boundedText({min, max}: {readonly min: number; readonly max: number}) {
	return z.string('must be text').refine(text => {
		const count = characterCount(text);
		return count >= min && count <= max;
	}, `must be ${min} to ${max} characters`);
}

export const anyText = z.string('must be text');
export const nonEmptyText = anyText.refine(text => text !== '', 'must not be empty');
export const uuid = anyText.refine(
	text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
	'must be a UUID',
);

export const uri = anyText.refine(isUri, 'must be a URI such as https://host.example/team/repository.git');

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
	return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** A whole number, output as text for a query string. */
export function wholeNumber({min, max}: {readonly min: number; readonly max?: number}) {
	const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
	return z
		.number(`must be a whole number ${range}`)
		.refine(n => Number.isSafeInteger(n) && n >= min && n <= (max ?? n), `must be a whole number ${range}`)
		.transform(String);
}

/** `limit` is 1-100 (20 if absent); `cursor` is opaque. */
export type PageQuery = {readonly limit?: number; readonly cursor?: string};

/** The query of every v0 list. The contract has `limit` as a string. */
export const pageQuery = z.strictObject({
	limit: wholeNumber(pageLimit).optional(),
	cursor: nonEmptyText.optional(),
});

/** Validates a request. Throws `ValidationError` with the path of the first invalid field, or with `name` for the whole. */
export function validate<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	name: string,
): z.output<Schema> {
	const checked = schema.safeParse(value);
	if (checked.success) return checked.data;
	const issue = checked.error.issues[0];
	const path = issue?.path.map(String) ?? [];
	if (issue?.code === 'unrecognized_keys') {
		throw new ValidationError(
			[...path, ...issue.keys.slice(0, 1)].join('.'),
			'is not a field of this request',
		);
	}
	throw new ValidationError(path.join('.') || name, issue?.message ?? 'is not valid');
}

/** Encodes an id as a single path segment, so that it can't change the path. Throws `ValidationError`. */
export function pathId(value: string, field: string): string {
	if (typeof value !== 'string' || value === '') throw new ValidationError(field, 'must not be empty');
	if (value === '.' || value === '..' || !value.isWellFormed()) {
		throw new ValidationError(field, 'is not a valid id');
	}
	return encodeURIComponent(value);
}
