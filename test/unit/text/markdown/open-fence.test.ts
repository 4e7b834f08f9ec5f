import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readFences} from '../../../../src/text/markdown/open-fence.ts';

const openIn = (text: string) => readFences(text, text.length).open?.line;

test.each([
	['prose', undefined],
	['```ts\nconst a = 1;\n', '```ts'],
	['```ts\nconst a = 1;\n```\n', undefined],
	['  ~~~ sh \n```\n', '~~~ sh'],
	['````\n```\n', '````'],
	['````\n```\n`````  \n', undefined],
	['```\n``` not an end\n', '```'],
	['``` `code` in one line\n', undefined],
	['~~~ `any` word\n', '~~~ `any` word'],
	['    ```\nindented code\n', undefined],
	['```ts\r\nconst a = 1;\r\n', '```ts'],
])('finds the open fence in %j', (text, open) => {
	expect(openIn(text)).toBe(open);
});

test('counts only what is above the given line', () => {
	expect(readFences('```\ncode\n```\n', 9).open?.line).toBe('```');
});

test('continues reading a text that has grown where it stopped', () => {
	const before = {...readFences('words\n', 6), open: {line: '~~~ as noted', marks: '~~~'}};
	expect(readFences('words\n```\n', 10, before).open?.line).toBe('~~~ as noted');
	expect(readFences('other\n```\n', 10, before).open?.line).toBe('```');
	expect(readFences('words\n```\n', 0, before).open).toBeUndefined();
});

test('finds the same fence in a growing text as in the whole one', () => {
	const line = fc.constantFrom('```', '````', '~~~', '```ts', '  ```', '``` x`', 'words', '');
	fc.assert(
		fc.property(fc.array(line, {maxLength: 20}), lines => {
			let state: ReturnType<typeof readFences> | undefined;
			let text = '';
			for (const one of lines) {
				text += `${one}\n`;
				state = readFences(text, text.length, state);
				expect(state.open).toEqual(readFences(text, text.length).open);
			}
		}),
	);
});
