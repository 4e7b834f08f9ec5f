import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Message} from '../../../src/domain/messages/message.ts';
import {cleanText} from '../../../src/text/cells/clean.ts';
import {type Line, lineText} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {markdownRows} from '../../../src/text/markdown/markdown.ts';
import {plainRows} from '../../../src/text/markdown/plain-rows.ts';
import {isCollapsed} from '../../../src/text/messages/collapsed-rows.ts';
import {gutterOf, messageRows} from '../../../src/text/messages/message-rows.ts';
import {findMatches, searchPattern} from '../../../src/text/search/search-matches.ts';
import {joinRows} from '../../../src/ui/stream/marking.ts';

const joined = (text: string, width: number) => joinRows(markdownRows(cleanText(text), width).rows, 0);

test.each([3, 8, 20, 40, 80])('joins wrapped lines as they were written, %i columns', width => {
	const words = fc.constantFrom('很长的', 'word', 'https://example.com/a/long/path', 'x', '文');
	const line = fc.array(words, {minLength: 1, maxLength: 12}).map(parts => parts.join(' '));
	fc.assert(
		fc.property(fc.array(line, {maxLength: 5}), lines => {
			const {rows} = plainRows(cleanText(lines.join('\n')), width, 1000, {});
			expect(joinRows(rows, 0)).toBe(lines.join('\n'));
		}),
	);
});

test('restores every space lost in a line break', () => {
	const {rows} = plainRows(safe`total   12   files\n  48      bytes`, 8, 10, {});
	expect(rows.map(row => row.map(({text}) => text).join(''))).toEqual([
		'total',
		'12',
		'files',
		'  48',
		'bytes',
	]);
	expect(joinRows(rows, 0)).toBe('total   12   files\n  48      bytes');
});

test.each([60, 40, 19])("the gutter isn't part of a message's text, %i columns", width => {
	const words = 'one two three four five incomprehensibilities-of-twelve';
	const message = {id: 'm', role: 'user', content: [{type: 'text', text: words}]} as const;
	const rows = messageRows({kind: 'message', id: 'm', message, role: 'user'}, {width, isExpanded: false});
	expect(joinRows(rows, gutterOf(width))).toBe(words);
	expect(findMatches(rows, searchPattern('twelve') as RegExp).startRows).toHaveLength(1);
});

test('keeps the marks of lists and quotes in their first row only', () => {
	expect(joined('- one two three\n> four five six\n  seven eight nine', 12)).toBe(
		'• one two three\n│ four five six\n│ seven eight nine',
	);
});

test('keeps a table as drawn', () => {
	expect(joined('| a | b |\n|---|---|\n| one two | three four |', 13)).toBe(
		'a     │ b\n──────┼──────\none   │ three\ntwo   │ four',
	);
});

test('a selection that starts in the middle of a line begins there', () => {
	const [, ...rows] = plainRows(safe`one two three`, 5, 10, {}).rows;
	const inGutter = rows.map((row): Line => [{text: safe`you  `}, ...row]);
	expect(joinRows(inGutter, 5)).toBe('two three');
});

test.each<[string, Message['content'], boolean]>([
	['a short text', [{text: 'hello\n- a list\n+ a plus in it'}], false],
	['a text that ends in an ellipsis', [{text: 'and so on\u2026'}], false],
	['a thought of one line', [{type: 'thinking', thinking: 'Let me see\u2026'}], false],
	['a thought that is cut', [{type: 'thinking', thinking: 'so '.repeat(60)}], true],
	['a command of two short lines', [{type: 'tool_use', name: 'Execute', input: {command: 'a\nb'}}], true],
	['a tool that was called', [{type: 'tool_use', name: 'Execute', input: {command: 'ls'}}], false],
	['a tool with more input', [{type: 'tool_use', name: 'Execute', input: {command: 'ls', cwd: '/'}}], true],
	['an output of several lines', [{type: 'tool_result', content: 'one\ntwo\nthree'}], true],
	['an output of one', [{type: 'tool_result', content: 'one'}], false],
	['a long line of code', [{text: `\`\`\`\n${'x'.repeat(300)}\n\`\`\``}], false],
	['an image', [{type: 'image', source: {data: 'aGk='}}], false],
])('%s', (_, content = [], expected) => {
	const entry = {kind: 'message', id: 'm', role: 'assistant', message: {id: 'm', content}} as const;
	const rows = (isExpanded: boolean) => messageRows(entry, {width: 60, isExpanded});
	expect(isCollapsed(rows(false))).toBe(expected);
	const words = (isExpanded: boolean) => rows(isExpanded).map(lineText).join('').replaceAll(' ', '');
	expect(words(true) === words(false)).toBe(!expected);
});

test.each(['verbatim', 'code'])('a line that begins with a plus hides nothing: %s', look => {
	const text = look === 'code' ? '```\n+ foo\n```' : '+ foo';
	const role = look === 'code' ? 'assistant' : 'user';
	const entry = {kind: 'message', id: 'm', role, message: {id: 'm', content: [{text}]}} as const;
	expect(isCollapsed(messageRows(entry, {width: 60, isExpanded: false}))).toBe(false);
});
