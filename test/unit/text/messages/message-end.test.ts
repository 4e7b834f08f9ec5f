import {expect, test} from 'vitest';
import {messageRows, type RowsMemo} from '../../../../src/text/messages/message-rows.ts';

/** The rows of an agent's answer, each as its spans. */
function rowsOf(text: string, memo?: RowsMemo) {
	const message = {id: 'm', content: [{text}]};
	const entry = {kind: 'message', id: 'm', role: 'assistant', message} as const;
	return messageRows(entry, {width: 60, isExpanded: false, ...(memo && {memo})});
}

const wordsOf = (row: ReturnType<typeof rowsOf>[number] | undefined) =>
	row
		?.map(({text}) => text)
		.join('')
		.trim();

/** The rows below the one that counts what is left out. */
function endOf(rows: ReturnType<typeof rowsOf>) {
	const mark = rows.findIndex(row => /^\+ \d+ lines$/.test(wordsOf(row) ?? ''));
	expect(mark).toBeGreaterThan(0);
	return rows.slice(mark + 1);
}

const many = (line: string) => Array.from({length: 500}, () => line);

test.each([
	['code of a language', ['```ts'], "const name = 'words'; // why", '```'],
	['code with three marks in it', ['````', '```', 'x', '```', '```'], '# heading', '````'],
	['code between tildes', ['~~~sh', '```'], 'echo "$HOME" # home', '~~~'],
	['a diff in a fence', ['```diff'], '+added', '```'],
	['a diff', ['--- a/x', '+++ b/x', '@@ -1,500 +1,500 @@'], '+added', undefined],
	['a diff that takes away', ['--- a/x', '+++ b/x', '@@ -1,500 +1,500 @@'], '-gone', undefined],
])('draws the end of %s like its beginning', (_, before, line, after) => {
	const rows = rowsOf([...before, ...many(line), ...(after === undefined ? [] : [after])].join('\n'));
	const end = endOf(rows);
	expect(end.length).toBeGreaterThan(4);
	for (const row of end) expect(row).toEqual(rows[before.length + 3]);
});

const lastRows = (rows: ReturnType<typeof rowsOf>) => rows.slice(-7);

test('draws the end of a growing answer like that of a whole one', () => {
	const parts = [
		['intro', ...many('prose')],
		['```ts', ...many('const a = 1;')],
		['```', ...many('more prose')],
		['````', '```', ...many('code')],
	];
	const memo: RowsMemo = new Map();
	let text = '';
	for (const line of parts.flat()) {
		text += `${line}\n`;
		if (text.length % 7 === 0) expect(lastRows(rowsOf(text, memo))).toEqual(lastRows(rowsOf(text)));
	}
});

test.each([
	['drawn again and again', 'abc def ghi\r'.repeat(800), ['abc def ghi']],
	['of many lines with another break', 'abc def ghi\u2028'.repeat(800), undefined],
])('shows the end of a text %s', (_, before, above) => {
	const rows = rowsOf(`${before}\nEND-MARK`).map(wordsOf);
	expect(rows.at(-1)).toBe('END-MARK');
	if (above) expect(rows.slice(0, -1)).toEqual(above);
	else expect(rows.slice(0, -1).some(row => /^\+ \d+ lines$/.test(row ?? ''))).toBe(true);
});
