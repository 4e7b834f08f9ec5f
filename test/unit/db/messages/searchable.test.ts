import {describe, expect, test} from 'vitest';
import {searchText, snippetOf} from '../../../../src/db/messages/searchable.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';

const maxIndexed = 64 * 1024;
const says = (...texts: readonly string[]): Message => ({id: 'm', content: texts.map(text => ({text}))});
const wordsOf = (text: string) => new Set(text.match(/[\p{L}\p{N}]+/gu));

describe('the searched text of a long message', () => {
	test('is its beginning and end, each in whole words', () => {
		const words = Array.from({length: 20_000}, (_, index) => `word${index}`);
		const text = searchText(says(words.join(' ')));
		expect(text.length).toBeLessThanOrEqual(maxIndexed);
		expect(text.length).toBeGreaterThan(maxIndexed - 50);
		expect(text).toMatch(/^word0 word1 .*\d\n…\nword\d.* word19999$/);
		const all = new Set(words);
		expect([...wordsOf(text)].filter(word => !all.has(word))).toEqual([]);
	});

	test('ends with its last part, and is complete if it just fits', () => {
		expect(searchText(says('first', 'x '.repeat(50_000), 'the conclusion'))).toMatch(
			/^first\n.*\nthe conclusion$/s,
		);
		const fits = `${'x '.repeat(maxIndexed / 2 - 2)}end`;
		expect(searchText(says(fits))).toBe(fits);
	});

	test('includes reasoning only in the space that is left', () => {
		const reasoned = {...says('short'), provider1ReasoningSummary: 'y '.repeat(maxIndexed)};
		expect(searchText(reasoned)).toHaveLength(maxIndexed);
		const long = {...says(`${'x '.repeat(maxIndexed)}conclusion`), provider1ReasoningSummary: 'why'};
		expect(searchText(long)).toContain('conclusion');
	});

	test.each([0, 1])('is well-formed without a space to cut at (%i)', offset => {
		const text = searchText(says(`${'x'.repeat(offset)}${'🙂'.repeat(maxIndexed)}`));
		expect(text.isWellFormed()).toBe(true);
		expect(text.length).toBeLessThanOrEqual(maxIndexed);
	});

	test('gives an excerpt of its end, and shows where something is left out', () => {
		const words = Array.from({length: 20_000}, (_, index) => `word${index}`);
		const text = searchText(says(`${words.join(' ')}\nso the pool was exhausted`));
		expect(snippetOf(text, 'exhausted')).toMatch(/^….* word19999 so the pool was exhausted$/);
		const [, beforeGap = ''] = /(\w+)\n…/.exec(text) ?? [];
		expect(snippetOf(text, beforeGap)).toMatch(new RegExp(`^….* ${beforeGap} … word.*…$`));
	});
});
