import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodeCursor, encodeCursor, readPage} from '../../../../src/local/http/fields.ts';

test('a cursor reads back as it was given, but only for its own list', () => {
	fc.assert(
		fc.property(fc.nat(), position => {
			const cursor = encodeCursor('users', position);
			expect(cursor).toMatch(/^[\w-]+$/);
			expect(decodeCursor('users', cursor)).toBe(position);
			expect(() => decodeCursor('controls', cursor)).toThrow(/cursor/);
		}),
	);
});

test('no text is a cursor by accident', () => {
	fc.assert(
		fc.property(fc.string(), text => {
			expect(() => decodeCursor('users', text)).toThrow(/cursor/);
		}),
	);
});

test('a page ends at its limit or at its weight, and always moves on', () => {
	const weights = fc.array(fc.integer({min: 0, max: 20_000_000}), {minLength: 1, maxLength: 20});
	fc.assert(
		fc.property(weights, fc.integer({min: 1, max: 10}), (rows, limit) => {
			const found: number[] = [];
			for (let cursor: string | undefined = undefined; cursor !== ''; ) {
				const read = (from = 0, count = 0) =>
					rows.slice(from, from + count).map((weight, index) => ({weight, index: from + index}));
				const page: ReturnType<typeof readPage<{weight: number; index: number}>> = readPage(
					'list',
					{limit, cursor},
					read,
					({index}) => index + 1,
					({weight}) => weight,
				);
				expect(page.items.length).toBeGreaterThan(0);
				expect(page.items.length).toBeLessThanOrEqual(limit);
				found.push(...page.items.map(({weight}) => weight));
				expect(page.pagination.hasMore).toBe(found.length < rows.length);
				cursor = page.pagination.nextCursor;
			}
			expect(found).toEqual(rows);
		}),
	);
});
