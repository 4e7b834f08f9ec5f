import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cutPage, decodeCursor, encodeCursor} from '../../../src/local/http/pagination.ts';

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
			const read: number[] = [];
			while (read.length < rows.length) {
				const rest = rows.slice(read.length, read.length + limit + 1);
				const {items, pagination} = cutPage(rest, limit, String, row => row);
				expect(items.length).toBeGreaterThan(0);
				expect(items.length).toBeLessThanOrEqual(limit);
				read.push(...items);
				expect(pagination.hasMore).toBe(read.length < rows.length);
			}
			expect(read).toEqual(rows);
		}),
	);
});
