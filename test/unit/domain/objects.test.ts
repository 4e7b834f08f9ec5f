import {describe, expect, test} from 'vitest';
import {isEqual} from '../../../src/domain/objects.ts';

const value = {id: 'a', parts: [{text: 'x'}, {count: 1}], more: {of: null}};

describe('isEqual', () => {
	test.each([
		['the same', 'a', 'a'],
		['not a number', Number.NaN, Number.NaN],
		['copies', value, structuredClone(value)],
		['keys in another order', {a: 1, b: 2}, {b: 2, a: 1}],
		['a key without a value', {a: 1, b: undefined}, {a: 1}],
		['no values at all', {}, {a: undefined}],
	])('equal: %s', (_, one, other) => {
		expect(isEqual(one, other)).toBe(true);
		expect(isEqual(other, one)).toBe(true);
	});

	test.each([
		['another value', {a: 1}, {a: 2}],
		['one key more', {a: 1}, {a: 1, b: 2}],
		['another key', {a: 1}, {b: 1}],
		['a part of a part', value, {...value, parts: [{text: 'x'}, {count: 2}]}],
		['a longer list', [1, 2], [1, 2, 3]],
		['a list and an object', [1], {0: 1}],
		['an object and nothing', {}, null],
		['the name of a method', {}, {toString: 'x'}],
	])('not equal: %s', (_, one, other) => {
		expect(isEqual(one, other)).toBe(false);
		expect(isEqual(other, one)).toBe(false);
	});
});
