import fc from 'fast-check';
import {expect, test} from 'vitest';
import {codeBlocks, messageBlocks} from '../../../../src/text/messages/part-markdown.ts';

test('finds fenced code in order, labeled with its language', () => {
	expect(codeBlocks('a\n```ts title=x\nconst a = 1;\n\n```\nb\n~~~\n```\n~~~\n```sh\nnever closed')).toEqual([
		{label: 'ts', text: 'const a = 1;\n'},
		{label: 'code', text: '```'},
		{label: 'sh', text: 'never closed'},
	]);
});

test('includes the input and output of tools', () => {
	const content = [
		{type: 'tool_use', name: 'Execute', input: {command: 'npm test', timeout: 5}},
		{type: 'tool_result', content: 'ok\n'},
		{type: 'tool_result', content: ''},
		{text: '```\nx\n```'},
	];
	expect(messageBlocks({id: 'm', content})).toEqual([
		{label: 'Execute', text: 'npm test'},
		{label: 'result', text: 'ok\n'},
		{label: 'code', text: 'x'},
	]);
});

test('returns any code unchanged', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.string({unit: 'grapheme'}).map(line => line.replaceAll(/[\r\n`~]/g, '')),
				{minLength: 1},
			),
			lines => {
				const text = lines.join('\n');
				expect(codeBlocks(`before\n\`\`\`\`x\n${text}\n\`\`\`\`\nafter`)).toEqual([{label: 'x', text}]);
			},
		),
	);
});
