import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseKey, typesText} from '../../../src/keys/key-name.ts';

test.each([
	['ctrl+x', 'ctrl+x'],
	['Ctrl+X', 'ctrl+x'],
	['Alt+Ctrl+x', 'ctrl+alt+x'],
	['control+x', 'ctrl+x'],
	['Option+Enter', 'alt+enter'],
	['Shift+Tab', 'shift+tab'],
	['shift+g', 'G'],
	['G', 'G'],
	['g', 'g'],
	['F2', 'f2'],
	['ctrl+F12', 'ctrl+f12'],
	['Esc', 'escape'],
	['PgDn', 'pagedown'],
	[' ', 'space'],
	['space', 'space'],
	['+', '+'],
	['ctrl++', 'ctrl++'],
	[':', ':'],
	['界', '界'],
])('%s is the key %s', (written, key) => {
	expect(parseKey(written)).toEqual({key});
});

test.each([
	['cltr+x', 'there is no key cltr+x; did you mean ctrl?'],
	['escpae', 'there is no key escpae; did you mean escape?'],
	['f13', 'there is no key f13; did you mean f1?'],
	['hyper+x', 'there is no key hyper+x'],
	['', 'there is no key '],
	['ctrl+', 'there is no key ctrl+'],
	['ctrl+i', "a terminal can't tell ctrl+i from tab"],
	['ctrl+m', "a terminal can't tell ctrl+m from enter"],
	['ctrl+shift+x', "a terminal can't tell ctrl+shift+x from the same key without Shift"],
	['shift+1', "a terminal can't tell shift+1 from the same key without Shift"],
])('refuses %j: %s', (written, problem) => {
	expect(parseKey(written)).toEqual({problem});
});

test('reads any text as a key that reads back the same, or as a problem', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc
					.array(fc.constantFrom('ctrl', 'alt', 'shift', '+', 'x', 'F1', 'esc', '界', ' '), {maxLength: 5})
					.map(parts => parts.join('+')),
			),
			written => {
				const parsed = parseKey(written);
				if ('key' in parsed) expect(parseKey(parsed.key)).toEqual(parsed);
				else expect(parsed.problem).not.toBe('');
			},
		),
		{numRuns: 200},
	);
});

test("tells keys that type text from those that don't", () => {
	expect(['a', 'G', '界', 'space', ':'].every(typesText)).toBe(true);
	expect(['enter', 'ctrl+a', 'f2', 'shift+tab', 'alt+x'].some(typesText)).toBe(false);
});
