import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {isCollapsed} from '../../../../src/text/messages/collapsed-rows.ts';
import {messageRows} from '../../../../src/text/messages/message-rows.ts';

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
