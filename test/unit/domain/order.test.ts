import {expect, test} from 'vitest';
import type {Message} from '../../../src/domain/messages/message.ts';
import {isOrderUnknown, oldestFirst, pageOrderOf} from '../../../src/domain/messages/timeline.ts';

const at = (id: string, createdAt?: number, more: object = {}): Message => ({
	id,
	...(createdAt !== undefined && {createdAt}),
	...more,
});

test.each<[string, Message[], Message[], ReturnType<typeof pageOrderOf>]>([
	['times', [at('c', 3), at('d', 4)], [at('a', 1), at('b', 2)], 'newest-first'],
	['times', [at('a', 1), at('b', 2)], [at('c', 3), at('d', 4)], 'oldest-first'],
	['times that pages share', [at('b', 2), at('c', 3)], [at('a', 1), at('d', 3)], 'newest-first'],
	['sequence numbers', [at('a', 5, {seq: 1})], [at('b', 5, {seq: 2})], 'oldest-first'],
	['nothing', [at('a', 5)], [at('b', 5)], undefined],
	['an empty page', [], [at('b', 5)], undefined],
])('derives the order of pages from %s', (_name, first, second, order) => {
	expect(pageOrderOf(first, second)).toBe(order);
});

test.each<[string, Message[], 'newest-first' | 'oldest-first' | undefined, string]>([
	['times', [at('b', 2), at('a', 1)], 'oldest-first', 'ab'],
	['times', [at('a', 1), at('b', 2)], 'newest-first', 'ab'],
	['times, though some are missing', [at('x'), at('a', 1), at('b', 2), at('y')], 'newest-first', 'xaby'],
	['sequence numbers', [at('b', 5, {seq: 2}), at('a', 5, {seq: 1})], 'oldest-first', 'ab'],
	['the order of the pages', [at('a', 5), at('b', 5)], 'oldest-first', 'ab'],
	['newest first if that is unknown', [at('b', 5), at('a', 5)], undefined, 'ab'],
])('orders a page by %s', (_name, page, pages, order) => {
	expect(
		oldestFirst(page, pages)
			.map(({id}) => id)
			.join(''),
	).toBe(order);
});

test('knows when nothing tells the order', () => {
	expect(isOrderUnknown([at('a', 1), at('b', 1)])).toBe(true);
	expect(isOrderUnknown([at('a', 1), at('b', 2)])).toBe(false);
	expect(isOrderUnknown([at('a', 1)])).toBe(false);
});
