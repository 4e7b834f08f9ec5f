import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {isCollapsed} from '../../../../src/text/messages/line-count.ts';
import {messageRows} from '../../../../src/text/messages/message-rows.ts';

test.each<[string, Message['content'], boolean]>([
	['a short text', [{text: 'hello\n- a list\n+ a plus in it'}], false],
	['a tool that was called', [{type: 'tool_use', name: 'Execute', input: {command: 'ls'}}], true],
	['an output of several lines', [{type: 'tool_result', content: 'one\ntwo\nthree'}], true],
	['an output of one', [{type: 'tool_result', content: 'one'}], false],
	['a code line that is cut', [{text: `\`\`\`\n${'x'.repeat(300)}\n\`\`\``}], true],
	['an image', [{type: 'image', source: {data: 'aGk='}}], false],
])('%s', (_, content = [], expected) => {
	const entry = {kind: 'message', id: 'm', role: 'assistant', message: {id: 'm', content}} as const;
	const rows = (isExpanded: boolean) => messageRows(entry, {width: 60, isExpanded});
	expect(isCollapsed(rows(false))).toBe(expected);
	const words = (isExpanded: boolean) => rows(isExpanded).map(lineText).join('').replaceAll(' ', '');
	expect(words(true) === words(false)).toBe(!expected);
});
