import {expect, test} from 'vitest';
import {terminalText, withLineFeeds} from '../../../../src/text/cells/terminal-lines.ts';

test.each([
	['a progress bar', Array.from({length: 300}, (_, index) => `${index} of 299`).join('\r'), '299 of 299'],
	['line breaks of other systems', 'a\r\nb\r\r\nc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
	['a shorter text over a longer one', 'abcdef\rxy\nnext', 'xycdef\nnext'],
	['a return at the end of a line', 'abc\r', 'abc'],
	['an erased line', 'npm: 10 %\u001b[2K\u001b[1Gdone', 'done'],
	['an erased rest', 'long words\rok\u001b[K', 'ok'],
	['what grep adds', '\u001b[31m\u001b[Ka\u001b[m\u001b[Kb', '\u001b[31ma\u001b[0m\u001b[mb'],
	['a column to the right', 'ok\u001b[6Gend', 'ok   end'],
	['wide characters', '漢字\ra', 'a字'],
	['colors of what is left', '\u001b[31mred\r\u001b[mgo', '\u001b[mgo\u001b[0m\u001b[31md\u001b[0m\u001b[m'],
	['other sequences', 'a\u001b[2J\u001bc\rb', 'b\u001b[2J\u001bc'],
])('shows %s as a terminal does', (_, raw, shown) => {
	expect(terminalText(raw)).toBe(shown);
});

test('takes a carriage return for the end of a line in what the user wrote', () => {
	expect(withLineFeeds('a\rb\r\nc\u2028d')).toBe('a\nb\nc\nd');
});
