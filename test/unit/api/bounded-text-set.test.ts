import {expect, test} from 'vitest';
import {createBoundedTextSet} from '../../../src/api/bounded-text-set.ts';

test('what came before is known, and of the oldest it is forgotten', () => {
	const seen = createBoundedTextSet();
	expect(['a', 'b', 'a'].map(seen.isNew)).toEqual([true, true, false]);
	for (let index = 0; index < 100_000; index++) seen.isNew(`text ${index}`);
	expect(seen.isNew('text 99999')).toBe(false);
	expect(seen.isNew('a')).toBe(true);
});

test('long texts are forgotten sooner', () => {
	const seen = createBoundedTextSet();
	const long = (index: number) => `${index} ${'x'.repeat(1024 * 1024)}`;
	for (let index = 0; index < 20; index++) expect(seen.isNew(long(index))).toBe(true);
	expect(seen.isNew(long(19))).toBe(false);
	expect(seen.isNew(long(0))).toBe(true);
});
