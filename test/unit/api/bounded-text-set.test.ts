import {expect, test} from 'vitest';
import {BoundedTextSet} from '../../../src/api/pages.ts';

test('knows the texts that came before, and forgets the oldest', () => {
	const texts = new BoundedTextSet();
	expect(['a', 'b', 'a'].map(text => texts.add(text))).toEqual([true, true, false]);
	for (let index = 0; index < 100_000; index++) texts.add(`text ${index}`);
	expect(texts.add('text 99999')).toBe(false);
	expect(texts.add('a')).toBe(true);
});

test('long texts are forgotten sooner', () => {
	const texts = new BoundedTextSet();
	const long = (index: number) => `${index} ${'x'.repeat(1024 * 1024)}`;
	for (let index = 0; index < 20; index++) expect(texts.add(long(index))).toBe(true);
	expect(texts.add(long(19))).toBe(false);
	expect(texts.add(long(0))).toBe(true);
});
