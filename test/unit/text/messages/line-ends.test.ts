import {expect, test} from 'vitest';
import type {ContentItem} from '../../../../src/domain/messages/message.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {messageRows} from '../../../../src/text/messages/message-rows.ts';
import {patchLines, patchRow} from '../../../../src/text/messages/patch-lines.ts';

const changedRows = (content: readonly ContentItem[]) =>
	messageRows(
		{kind: 'message', id: 'm', role: 'assistant', message: {id: 'm', content}},
		{width: 60, isExpanded: true},
	)
		.map(row =>
			lineText(row)
				.trim()
				.replace(/^(?:\d+ )?([-+]) /, '$1'),
		)
		.filter(row => /^[-+]/.test(row));

/** More than is searched for the first hunk. */
const progress = Array.from({length: 500}, (_, index) => `fetched ${index}`).join('\r');

/** The changed lines of a diff in a message, in an edit, and in the changes of a folder. */
const views = {
	text: (before: string, after: string) =>
		changedRows([{text: `--- a\n+++ a\n@@ -1,2 +1,2 @@\n same\n-${before}\n+${after}`}]).slice(2),
	'text below a progress bar': (before: string, after: string) =>
		changedRows([{text: `${progress}\n@@ -1,2 +1,2 @@\n same\n-${before}\n+${after}`}]),
	edit: (before: string, after: string) =>
		changedRows([
			{
				type: 'tool_use',
				id: 't',
				name: 'Edit',
				input: {old_string: `same\n${before}\n`, new_string: `same\n${after}\n`},
			},
			{type: 'tool_result', tool_use_id: 't', content: 'ok'},
		]),
	folder: (before: string, after: string) => {
		const file = {path: 'a.ts', patch: `@@ -1,2 +1,2 @@\n same\n-${before}\n+${after}`};
		return patchLines(file)
			.slice(2)
			.map(line => lineText(patchRow(file, line, 0, 1)).replace(/^(?:\d+ )?([-+]) /, '$1'));
	},
};

test.each(Object.entries(views))('shows what differs at the end of a line in a diff: %s', (_, rowsOf) => {
	expect(rowsOf('let a', 'let a  ')).toEqual(['-let a', '+let a··']);
	expect(rowsOf('let a\r', 'let a')).toEqual(['-let a␍', '+let a']);
	expect(rowsOf('', '  ')).toEqual(['-', '+··']);
});

test('shows no carriage returns where all lines have one', () => {
	const file = {path: 'a.ts', patch: '@@ -1,2 +1,2 @@\n same\r\n-a\r\n+b\r'};
	expect(patchLines(file).map(line => line.text)).toEqual(['@@ -1,2 +1,2 @@', 'same', 'a', 'b']);
});
