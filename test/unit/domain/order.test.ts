import {expect, test} from 'vitest';
import type {Message} from '../../../src/domain/messages/message.ts';
import {insideOrder, oldestFirst, orderTies, pageDirection} from '../../../src/domain/order.ts';

const at = (id: string, createdAt?: number, more: object = {}): Message => ({
	id,
	...(createdAt !== undefined && {createdAt}),
	...more,
});

test.each<[string, Message[], ReturnType<typeof insideOrder>]>([
	['times', [at('a', 1), at('b', 2)], 'ascending'],
	['times', [at('a', 2), at('b', 1)], 'descending'],
	['parents', [at('a', 5), at('b', 5, {parentId: 'a'})], 'ascending'],
	['parents', [at('b', undefined, {parentId: 'a'}), at('a')], 'descending'],
	['sequence numbers', [at('a', 5, {seq: 2}), at('b', 5, {seq: 1})], 'descending'],
	['a time that is missing', [at('a', 3), at('b'), at('c', 4)], undefined],
	['equal times', [at('a', 5), at('b', 5)], undefined],
	['one message', [at('a', 5)], undefined],
	['its own parent', [at('a', 5, {parentId: 'a'})], undefined],
])('derives the order inside a page from %s', (_name, page, order) => {
	expect(insideOrder(page)).toBe(order);
});

test.each<[string, Message[], Message[], ReturnType<typeof pageDirection>]>([
	['times', [at('c', 3), at('d', 4)], [at('a', 1), at('b', 2)], 'tail'],
	['times', [at('a', 1), at('b', 2)], [at('c', 3), at('d', 4)], 'head'],
	['parents', [at('b', 5, {parentId: 'a'})], [at('a', 5)], 'tail'],
	['parents', [at('a')], [at('b', undefined, {parentId: 'a'})], 'head'],
	['sequence numbers', [at('a', 5, {seq: 1})], [at('b', 5, {seq: 2})], 'head'],
	['nothing', [at('a', 5)], [at('b', 5)], undefined],
	['an empty page', [], [at('b', 5)], undefined],
])('derives the direction of pages from %s', (_name, first, second, direction) => {
	expect(pageDirection(first, second)).toBe(direction);
});

test('takes the known order for a page that shows none, and newest first if none is known', () => {
	const page = [at('a', 5), at('b', 5)];
	expect(oldestFirst(page).map(({id}) => id)).toEqual(['b', 'a']);
	expect(oldestFirst(page, 'ascending').map(({id}) => id)).toEqual(['a', 'b']);
	expect(oldestFirst([at('b', 2), at('a', 1)], 'ascending').map(({id}) => id)).toEqual(['a', 'b']);
});

test('at the same time, a parent stands before its child, and circles do no harm', () => {
	const place = (message: Message, rank: number) => ({message, rank});
	const order = (...ties: {message: Message; rank: number}[]) =>
		orderTies(ties).map(({message}) => message.id);
	expect(
		order(place(at('c', 1, {parentId: 'b'}), 0), place(at('b', 1, {parentId: 'a'}), 1), place(at('a', 1), 2)),
	).toEqual(['a', 'b', 'c']);
	expect(order(place(at('y', 1), 1), place(at('x', 1), 0))).toEqual(['x', 'y']);
	expect(
		order(place(at('a', 1, {parentId: 'b'}), 0), place(at('b', 1, {parentId: 'a'}), 1)).toSorted(),
	).toEqual(['a', 'b']);
	expect(order(place(at('a', 1, {seq: 2}), 0), place(at('b', 1, {seq: 1}), 1))).toEqual(['b', 'a']);
});
