import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanText} from '../../../src/text/clean.ts';
import {foundPattern, holdsFound, markFound} from '../../../src/text/found.ts';
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
	expect(holdsFound(line, foundPattern('migr') as RegExp)).toBe(true);
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
