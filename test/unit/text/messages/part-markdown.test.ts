import {expect, test} from 'vitest';
import {wholeMessage} from '../../../../src/text/messages/part-markdown.ts';

test('returns the whole message, part by part, cleaned for the terminal', () => {
	const output = Array.from({length: 10_000}, (_, line) => `line ${line}`).join('\n');
	const text = wholeMessage({
		id: 'm',
		content: [
			{type: 'text', text: 'See \x1b[31mred\x1b[0m:\tand 界 👨‍👩‍👧'},
			{type: 'tool_use', name: 'Bash', input: {command: 'ls'}},
			{type: 'tool_result', content: output},
			{type: 'image', source: {media_type: 'image/png', data: 'AAAA'}},
		],
	});
	expect(text).toBe(
		[
			'See ␛[31mred␛[0m:\tand 界 👨‍👩‍👧',
			'**Bash**',
			'```json\n{\n  "command": "ls"\n}\n```',
			`\`\`\`\n${output}\n\`\`\``,
			'[image image/png]',
			'',
		].join('\n\n'),
	);
});

test('returns even the last of more parts than the screen shows', () => {
	const content = Array.from({length: 300}, (_, part) => ({type: 'text', text: `part ${part}`}));
	const text = wholeMessage({id: 'm', content});
	expect(text.trimEnd().split('\n\n')).toEqual(content.map(part => part.text));
});

test("doesn't fail on input that is nested too deep", () => {
	let input: unknown = [];
	for (let depth = 0; depth < 100_000; depth++) input = [input];
	expect(wholeMessage({id: 'm', content: [{type: 'tool_use', name: 'x', input}]})).toContain(
		'nested too deep',
	);
});

test('returns a megabyte of fences, and tabs among control characters, completely', () => {
	const fences = '``` '.repeat(1 << 18).trimEnd();
	expect(wholeMessage({id: 'm', content: [{type: 'tool_result', content: fences}]})).toBe(
		`\`\`\`\`\n${fences}\n\`\`\`\`\n\n`,
	);
	const rows = '\tone\t\x1b\ttwo\n'.repeat(10_000);
	expect(wholeMessage({id: 'm', content: [{type: 'text', text: `${rows}end`}]})).toBe(
		`${rows.replaceAll('\x1b', '␛')}end\n\n`,
	);
});

test('returns outputs as a terminal shows them, and words as they were written', () => {
	const bar = '10 %\r50 %\r\ndone';
	const content = [{text: bar}, {type: 'tool_result', content: bar}];
	const output = '```\n50 %\ndone\n```\n\n';
	expect(wholeMessage({id: 'm', content})).toBe(`10 %\n50 %\ndone\n\n${output}`);
	expect(wholeMessage({id: 'm', isOutput: true, content})).toBe(`50 %\ndone\n\n${output}`);
});
