import {expect, test} from 'vitest';
import {openFence} from '../../../../src/text/markdown/open-fence.ts';

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
	expect(openFence(text)?.line).toBe(open);
});

test('reads on inside of the fence that is open above', () => {
	expect(openFence('code\n```\n', openFence('```ts'))).toBeUndefined();
});
