import fc from 'fast-check';
import {expect, test} from 'vitest';
import {mentionAt} from '../../../../src/text/editor/mention.ts';
import {pastedPath} from '../../../../src/text/editor/pasted-path.ts';

test.each([
	['@', {start: 0, query: ''}],
	['see @src/a.t', {start: 4, query: 'src/a.t'}],
	['see (@~/no', {start: 5, query: '~/no'}],
	['a\n@x', {start: 2, query: 'x'}],
	['me@host', undefined],
	['see @a b', undefined],
	['@@', undefined],
	['see @\u{f0000}', undefined],
	['', undefined],
])('finds the mention before the cursor in %j', (text, mention) => {
	expect(mentionAt(text, text.length)).toEqual(mention);
	expect(mentionAt(`${text} after`, text.length)).toEqual(mention);
});

test('a mention is always a part of the text that ends at the cursor', () => {
	fc.assert(
		fc.property(fc.string({maxLength: 30, unit: fc.constantFrom('@', ' ', 'a', '/', '界', '\n')}), text => {
			const mention = mentionAt(text, text.length);
			if (mention) expect(text.slice(mention.start)).toBe(`@${mention.query}`);
		}),
	);
});

test.each([
	['/a/b.png', '/a/b.png'],
	['  /a/b c.png\n', '/a/b c.png'],
	["'/a/b c.png'", '/a/b c.png'],
	['"~/b.png"', '~/b.png'],
	['/a/b\\ c\\(1\\).png', '/a/b c(1).png'],
	['file:///a/b%20c.png', '/a/b c.png'],
	['file://%zz', undefined],
	['shot.png', 'shot.png'],
	['./shot', './shot'],
	['two\nlines.png', undefined],
	['just words', undefined],
	['', undefined],
	['x'.repeat(5000), undefined],
])('finds the path in pasted %j', (pasted, path) => {
	expect(pastedPath(pasted)).toBe(path);
});
