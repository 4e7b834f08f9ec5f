import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanText} from '../../../src/text/clean.ts';
import {countFound, foundPattern, markFound} from '../../../src/text/found.ts';
import {type Line, lineText, lineWidth} from '../../../src/text/line.ts';
import {safe} from '../../../src/text/safe.ts';
import {hostileText} from '../../support/hostile-text.ts';

const lit = (line: Line, words: string): string[] => {
	const pattern = foundPattern(words);
	return pattern
		? markFound(line, pattern, {inverse: true}).flatMap(part => (part.inverse ? [part.text] : []))
		: [];
};

test.each([
	['Migrate the migration', 'migr', ['Migr', 'migr']],
	['the emigrant', 'migr', []],
	['数据库迁移完成', '迁移', ['迁移']],
	['re\u0301sume\u0301', 're', ['re\u0301']],
	['a.b (c) a.b', 'a.b', ['a.b', 'a.b']],
	['anything', ' ... ', []],
])('in %s, %s is lit', (text, words, expected) => {
	expect(lit([{text: cleanText(text)}], words)).toEqual(expected);
});

test('a word is found across looks, which it keeps', () => {
	const line: Line = [
		{text: safe`mig`, tone: 'code'},
		{text: safe`ration`, bold: true},
	];
	const marked = markFound(line, foundPattern('migr') as RegExp, {inverse: true});
	expect(marked).toEqual([
		{text: 'mig', tone: 'code', inverse: true},
		{text: 'r', bold: true, inverse: true},
		{text: 'ation', bold: true},
	]);
	expect(countFound(line, foundPattern('migr') as RegExp, 0)).toBe(1);
});

test('one of several has a look of its own, and what stands before the words is left alone', () => {
	const line: Line = [{text: safe`agent `}, {text: safe`an agent, agents`}];
	const pattern = foundPattern('agent') as RegExp;
	expect(countFound(line, pattern, 6)).toBe(2);
	expect(markFound(line, pattern, {inverse: true}, {from: 6, nth: 1, nthLook: {bold: true}})).toEqual([
		{text: 'agent '},
		{text: 'an '},
		{text: 'agent', inverse: true},
		{text: ', '},
		{text: 'agent', bold: true},
		{text: 's'},
	]);
});

test('lighting up loses nothing and moves nothing', () => {
	fc.assert(
		fc.property(
			fc.array(hostileText, {maxLength: 4}),
			fc.oneof(hostileText, fc.constantFrom('a', 'wo')),
			(texts, words) => {
				const line = texts.map(text => ({text: cleanText(text.replaceAll('\n', ' '))}));
				const pattern = foundPattern(words);
				if (!pattern) return;
				const marked = markFound(line, pattern, {inverse: true});
				expect(lineText(marked)).toBe(lineText(line));
				expect(lineWidth(marked)).toBeLessThanOrEqual(lineWidth(line) + 2 * texts.length);
			},
		),
	);
});
