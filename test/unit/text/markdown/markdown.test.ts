import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {cleanText} from '../../../../src/text/cells/clean.ts';
import {type Line, lineText} from '../../../../src/text/cells/line.ts';
import {codeSpans, findLanguage} from '../../../../src/text/markdown/code-spans.ts';
import {inlineSpans} from '../../../../src/text/markdown/inline.ts';
import {type MarkdownResult, markdownRows} from '../../../../src/text/markdown/markdown.ts';
import {isDiff, plainRows} from '../../../../src/text/markdown/plain-rows.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const show = (source: string, width = 40) => markdownRows(cleanText(source), width).rows.map(lineText);
const looks = (line: Line | undefined) =>
	(line ?? []).map(part => [part.text, part.tone ?? (part.bold ? 'bold' : 'text')]);

describe('blocks', () => {
	test('a table stands in columns, its cells wrapped in theirs', () => {
		const source =
			'| name | rows | note |\n|---|--:|:-:|\n| orders | 12,480 | a longer note than fits here |\n| 表 | 7 |';
		expect(show(source, 34).map(row => row.trimEnd())).toEqual([
			'name   │   rows │       note',
			'───────┼────────┼─────────────────',
			'orders │ 12,480 │  a longer note',
			'       │        │  than fits here',
			'表     │      7 │',
		]);
	});

	test('a table without room is shown as it was written', () => {
		expect(
			show('| a | b | c | d |\n|---|---|---|---|\n| one | two | three | four |', 12).join(' '),
		).toContain('| one | two');
	});

	test('nested lists, tasks and the lines under them hang', () => {
		const source = '- outer\n  - [x] done and long enough to need two rows\n  - [ ] open\n    more of it';
		expect(show(source, 30)).toEqual([
			'- outer',
			'  - [x] done and long enough',
			'        to need two rows',
			'  - [ ] open',
			'    more of it',
		]);
	});

	test('code keeps its words apart over lines, a diff its signs', () => {
		const {rows} = markdownRows(
			cleanText(
				"```ts\nconst a = 'x'; // why\n/* long\ncomment */ return 1\n```\n```diff\n-old\n+new\n same\n```",
			),
			40,
		);
		expect(looks(rows[1])).toEqual([
			['const', 'accent'],
			[' a = ', 'code'],
			["'x'", 'good'],
			['; ', 'code'],
			['// why', 'dim'],
		]);
		expect(looks(rows[3])).toEqual([
			['comment */', 'dim'],
			[' ', 'code'],
			['return', 'accent'],
			[' ', 'code'],
			['1', 'warn'],
		]);
		expect(looks(rows[6])).toEqual([['-old', 'bad']]);
		expect(looks(rows[7])).toEqual([['+new', 'good']]);
	});

	test('code that is too wide is cut, or goes on below', () => {
		const source = cleanText(`\`\`\`\n${'x'.repeat(50)}\n\`\`\``);
		expect(markdownRows(source, 40).rows).toHaveLength(3);
		expect(markdownRows(source, 40, {wrapsCode: true}).rows).toHaveLength(4);
	});
});

describe('marks in a line', () => {
	test.each([
		['[the docs](https://example.com/a_(b))', 'the docs (https://example.com/a_(b))'],
		['![plan](plan.png)', 'plan (plan.png)'],
		['<https://example.com>', 'https://example.com'],
		['[https://example.com](https://example.com)', 'https://example.com'],
		['\\*not bold\\*', '*not bold*'],
		['*so* and _so_ and ~~gone~~ and __strong__', 'so and so and gone and strong'],
		['snake_case_name and 2*3*4 and src/**/*.ts', 'snake_case_name and 2*3*4 and src/**/*.ts'],
	])('%s', (source, shown) => {
		expect(lineText(inlineSpans(cleanText(source)))).toBe(shown);
	});

	test('three stars are bold and emphasised', () => {
		expect(inlineSpans(cleanText('***now*** or 3***2'))).toEqual([
			{text: 'now', bold: true, tone: 'strong'},
			{text: ' or 3***2'},
		]);
	});

	test('an address is never hidden behind words', () => {
		expect(looks(inlineSpans(cleanText('see [bank](https://evil.example)')))).toEqual([
			['see ', 'text'],
			['bank', 'accent'],
			[' (https://evil.example)', 'dim'],
		]);
	});
});

test('output that is a diff is colored', () => {
	const {rows} = plainRows(cleanText('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'), 40, 10, {tone: 'code'});
	expect(rows.map(line => line[0]?.tone)).toEqual(['strong', 'strong', 'info', 'bad', 'good']);
});

test('a diff in a fence is a part of a text', () => {
	expect(isDiff('text\n```diff\n@@ -1 +1 @@\n-a')).toBe(false);
	expect(isDiff('commit 1\n\n@@ -1,2 +1,2 @@ fn\n-a')).toBe(true);
});

const source = fc
	.array(
		fc.oneof(
			hostileText,
			fc.constantFrom(
				'\n',
				'\n\n',
				'| a | b |',
				'|---|---|',
				'```ts\n',
				'```',
				'~~~',
				'- [ ] x',
				'> q',
				'/*',
				'`',
				"'",
				'[a](b)',
				'    deep',
			),
		),
		{maxLength: 25},
	)
	.map(parts => cleanText(parts.join('')));
const widths = fc.integer({min: 2, max: 90});

test('no row is wider than the pane, and no more are made than asked for', () => {
	fc.assert(
		fc.property(
			source,
			widths,
			fc.integer({min: 1, max: 30}),
			fc.boolean(),
			(text, width, maxRows, wrapsCode) => {
				const {rows} = markdownRows(text, width, {maxRows, wrapsCode});
				expect(rows.length).toBeLessThanOrEqual(maxRows);
				for (const row of rows) expect(stringWidth(lineText(row))).toBeLessThanOrEqual(width);
			},
		),
		{numRuns: 1000},
	);
});

test('a text that grows is laid out as if it had come at once', () => {
	fc.assert(
		fc.property(source, fc.array(fc.nat(400), {maxLength: 8}), widths, (text, cuts, width) => {
			let before: MarkdownResult | undefined;
			for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
				const part = cleanText(text.slice(0, cut));
				before = markdownRows(part, width, {before});
				expect({rows: before.rows, lines: before.lines}).toEqual(
					(({rows, lines}) => ({rows, lines}))(markdownRows(part, width)),
				);
			}
		}),
		{numRuns: 1000},
	);
});

test('code loses no character, whatever the language', () => {
	fc.assert(
		fc.property(
			hostileText,
			fc.constantFrom('ts', 'py', 'sh', 'sql', 'html', 'rust', 'yaml'),
			(raw, name) => {
				const line = cleanText(raw.replaceAll('\n', ' '));
				const language = findLanguage(name);
				if (!language) throw new Error(name);
				expect(lineText([...codeSpans(line, language, undefined).spans])).toBe(line);
			},
		),
	);
});

test.each([
	'`'.repeat(50_000),
	'['.repeat(50_000),
	'*a'.repeat(25_000),
	'[a]('.repeat(12_000),
	'|'.repeat(50_000),
	'_~*'.repeat(16_000),
])('marks without end cost no more than their length (%#)', hostile => {
	const rows = markdownRows(cleanText(`${hostile}\n${hostile}`, {maxLength: 200_000}), 80, {
		maxRows: 40,
	}).rows;
	expect(rows.length).toBeLessThanOrEqual(40);
});
