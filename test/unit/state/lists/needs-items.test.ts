import {expect, test} from 'vitest';
import {type NeedsItem, needsAfter} from '../../../../src/state/lists/lists.ts';

const needs = ['a', 'b', 'c', 'd'].map(id => ({id}) as NeedsItem);
const idsAfter = (id: string | undefined, place?: {id: string; followers: string[]}) =>
	needsAfter(needs, id, place)
		.map(item => item.id)
		.join('');

test('what needs the user follows the item at the cursor, around the end', () => {
	expect([idsAfter('a'), idsAfter('c'), idsAfter('d')]).toEqual(['bcd', 'dab', 'abc']);
	expect([idsAfter(undefined), idsAfter('elsewhere')]).toEqual(['abcd', 'abcd']);
});

test('after an item that was read and left, those that stood below it follow, not the first', () => {
	expect(idsAfter('read', {id: 'read', followers: ['c', 'd']})).toBe('cdab');
	// Since then, another below it has left, too.
	expect(idsAfter('read', {id: 'read', followers: ['left', 'd']})).toBe('dabc');
	expect(idsAfter('read', {id: 'read', followers: []})).toBe('abcd');
	expect(idsAfter('other', {id: 'read', followers: ['c']})).toBe('abcd');
	expect(idsAfter('b', {id: 'b', followers: ['d']})).toBe('cda');
});
