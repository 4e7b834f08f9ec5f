import {expect, test} from 'vitest';
import {type NeedsItem, needsAfter} from '../../../../src/state/lists/needs-items.ts';

const needs = ['a', 'b', 'c', 'd'].map(id => ({id}) as NeedsItem);
const idsAfter = (id: string | undefined, place?: {id: string; index: number}) =>
	needsAfter(needs, id, place)
		.map(item => item.id)
		.join('');

test('what needs the user follows the item at the cursor, around the end', () => {
	expect([idsAfter('a'), idsAfter('c'), idsAfter('d')]).toEqual(['bcd', 'dab', 'abc']);
	expect([idsAfter(undefined), idsAfter('elsewhere')]).toEqual(['abcd', 'abcd']);
});

test('after an item that was read and left, what stood below it follows, not the first', () => {
	expect(idsAfter('read', {id: 'read', index: 2})).toBe('cdab');
	expect(idsAfter('read', {id: 'read', index: 4})).toBe('abcd');
	expect(idsAfter('other', {id: 'read', index: 2})).toBe('abcd');
	expect(idsAfter('b', {id: 'b', index: 3})).toBe('cda');
});
