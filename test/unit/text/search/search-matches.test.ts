import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cleanText} from '../../../../src/text/cells/clean.ts';
import {type Line, lineText, lineWidth} from '../../../../src/text/cells/line.ts';
import {safe, stillSafe} from '../../../../src/text/cells/safe.ts';
import {wrapSpans} from '../../../../src/text/markdown/inline.ts';
import {markdownRows} from '../../../../src/text/markdown/markdown.ts';
import {findMatches, highlightMatches, searchPattern} from '../../../../src/text/search/search-matches.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const inLine = (line: Line, words: string, textStart = 0) =>
	findMatches([line], searchPattern(words) as RegExp, () => textStart).inRow.get(0) ?? [];

const lit = (line: Line, words: string): string[] =>
	searchPattern(words)
		? highlightMatches(line, inLine(line, words), {inverse: true}).flatMap(part =>
				part.inverse ? [part.text] : [],
			)
		: [];

test.each([
	['Migrate the migration', 'migr', ['Migr', 'migr']],
	['the emigrant', 'migr', []],
	['数据库迁移完成', '迁移', ['迁移']],
	['re\u0301sume\u0301', 're', ['re\u0301']],
	['a.b (c) a.b', 'a.b', ['a.b', 'a.b']],
	['anything', ' ... ', []],
	['build step 2, step 25, step-250', 'step-25', ['step 25', 'step-25']],
	['build step 2, step 25, step-250', '"step 25"', ['step 25']],
	['build step 2, step 25, step-250', '"step 25', ['step 25', 'step-25']],
	['step 1, step 2 of 25', 'step 2', ['step 2']],
	['2 or step 1', 'step 2', ['2', 'step']],
	['steps 25', '"step" 25', ['25']],
	['数据，库', '数据 库', ['数据，库']],
	['My Résumé, re\u0301sume\u0301s and resumes', 'resume', ['Résumé', 're\u0301sume\u0301', 'resume']],
	['resume', 're\u0301sumé', ['resume']],
	['İSTANBUL Việt', 'istanbul viet', ['İSTANBUL Việt']],
	['मुंबई मबई', 'मबई', ['मबई']],
])('in %s, highlights %s', (text, words, expected) => {
	expect(lit([{text: cleanText(text)}], words)).toEqual(expected);
});

test('makes a pattern of limited size from a query of any length, for its first words', () => {
	const pasted = Array.from({length: 320}, (_, index) => `word${index}`).join(' ');
	expect(searchPattern(pasted)?.source).toBe(searchPattern(pasted.slice(0, 500))?.source);
	expect(lit([{text: cleanText(pasted)}], pasted)).toEqual([expect.stringMatching(/^word0 word1 word2 /)]);
});

test.each([
	['step 2', 1, 1],
	['fox row 30', 29, 3],
	['row 30 fox', 29, Number.POSITIVE_INFINITY],
	['nothing row', 20, 1],
])('finds the best match of %s in row %i', (words, row, terms) => {
	const rows = Array.from({length: 40}, (_, index): Line => {
		const text = index < 20 ? `step ${index + 1}` : `row ${index + 1} fox`;
		return [{text: cleanText(text), piece: {}} as Line[number]];
	});
	const {startRows, best} = findMatches(rows, searchPattern(words) as RegExp);
	expect(startRows[best.index]).toBe(row);
	expect(best.terms).toBeGreaterThanOrEqual(terms);
});

test('finds a word across styles, and keeps them', () => {
	const line: Line = [
		{text: safe`mig`, tone: 'code'},
		{text: safe`ration`, bold: true},
	];
	const marked = highlightMatches(line, inLine(line, 'migr'), {inverse: true});
	expect(marked).toEqual([
		{text: 'mig', tone: 'code', inverse: true},
		{text: 'r', bold: true, inverse: true},
		{text: 'ation', bold: true},
	]);
	expect(findMatches([line], searchPattern('migr') as RegExp).startRows).toEqual([0]);
});

test('gives one match its own style, and leaves what is before the text alone', () => {
	const line: Line = [{text: safe`agent `}, {text: safe`an agent, agents`}];
	const found = inLine(line, 'agent', 6);
	expect(found.map(({match}) => match)).toEqual([0, 1]);
	expect(highlightMatches(line, found, {inverse: true}, {nth: 1, nthLook: {bold: true}})).toEqual([
		{text: 'agent '},
		{text: 'an '},
		{text: 'agent', inverse: true},
		{text: ', '},
		{text: 'agent', bold: true},
		{text: 's'},
	]);
});

test('highlighting loses nothing and moves nothing', () => {
	fc.assert(
		fc.property(
			fc.array(hostileText, {maxLength: 4}),
			fc.oneof(hostileText, fc.constantFrom('a', 'wo')),
			(texts, words) => {
				const line = texts.map(text => ({text: cleanText(text.replaceAll('\n', ' '))}));
				if (!searchPattern(words)) return;
				const marked = highlightMatches(line, inLine(line, words), {inverse: true});
				expect(lineText(marked)).toBe(lineText(line));
				expect(lineWidth(marked)).toBeLessThanOrEqual(lineWidth(line) + 2 * texts.length);
			},
		),
	);
});

const widths = [1, 2, 3, 5, 8, 13, 20, 40, 60, 80, 120];

test('a word broken across rows is one match, highlighted in each of them', () => {
	const alphabet = fc.constantFrom('数', '据', 'ab', 'a', 'b', ' ', '  ', ', ', 'e\u0301', '👨‍👩‍👧', '한');
	const texts = fc.array(alphabet, {maxLength: 60}).map(parts => cleanText(parts.join('')));
	const words = fc.constantFrom('数据', '据数据', 'ab', 'aba', '한', 'a 数');
	fc.assert(
		fc.property(texts, words, fc.constantFrom(...widths), (text, wanted, width) => {
			const pattern = searchPattern(wanted) as RegExp;
			const cut = text.search(/\S/) === -1 ? 0 : Math.floor(text.length / 2);
			const spans = [
				{text: stillSafe(text.slice(0, cut).toWellFormed()), bold: true},
				{text: stillSafe(text.slice(cut).toWellFormed())},
			];
			const rows = wrapSpans(spans, width, Number.POSITIVE_INFINITY);
			// Narrower than a wide character: what doesn't fit is drawn otherwise.
			const isWhole = rows.map(lineText).join('').replaceAll(' ', '') === text.replaceAll(' ', '');
			if (!isWhole) return;
			const {startRows, inRow} = findMatches(rows, pattern);
			const all = [...text.matchAll(pattern)];
			const phrases = all.filter(([, phrase]) => phrase !== undefined);
			// Spaces at the end of a row aren't drawn.
			const expected = (phrases.length > 0 ? phrases : all).map(([word]) => word.replaceAll(' ', ''));
			expect(startRows).toHaveLength(expected.length);
			expect(startRows).toEqual(startRows.toSorted((a, b) => a - b));
			const shown = expected.map(() => '');
			for (const [row, ranges] of inRow)
				for (const {from, to, match} of ranges) shown[match] += lineText(rows[row] ?? []).slice(from, to);
			expect(shown.map(word => word.replaceAll(' ', ''))).toEqual(expected);
		}),
	);
});

test.each([5, 40])(
	'finds a word that is broken over rows in a quote, a list and a table, %i columns',
	width => {
		const filler = '很长的文字'.repeat(8);
		const lines = [
			`> ${filler}连接池`,
			`- ${filler}连接池`,
			`| 名 | 数 |`,
			'|-|-|',
			`| ${filler}连接池 | ${filler} |`,
		];
		for (const shift of ['', '一', '一二', 'a', 'ab一']) {
			const text = cleanText(lines.join('\n').replaceAll('很长', `很${shift}长`));
			const {rows} = markdownRows(text, width);
			const {startRows, inRow} = findMatches(rows, searchPattern('连接池') as RegExp);
			expect(startRows).toHaveLength(3);
			const shown = ['', '', ''];
			for (const [row, ranges] of inRow)
				for (const {from, to, match} of ranges) shown[match] += lineText(rows[row] ?? []).slice(from, to);
			expect(shown).toEqual(['连接池', '连接池', '连接池']);
		}
	},
);

test("the rest of a word that begins in the row above isn't a word", () => {
	const rows = wrapSpans([{text: safe`transformation`}], 5, 10);
	expect(rows.map(lineText)).toEqual(['trans', 'forma', 'tion']);
	expect(findMatches(rows, searchPattern('forma') as RegExp).startRows).toEqual([]);
	expect(findMatches(rows, searchPattern('transfor') as RegExp).startRows).toEqual([0]);
});
