import {expect, test} from 'vitest';
import {isUnmarkedPaste, keyPresses, singleKeys} from '../../../src/keys/key-press.ts';

const names = (input: string, key = {}) => keyPresses(input, key).map(press => press.name);

test.each([
	['j', {}, ['j']],
	['G', {shift: true}, ['G']],
	[' ', {}, ['space']],
	['d', {ctrl: true}, ['ctrl+d']],
	['', {tab: true, shift: true}, ['shift+tab']],
	['', {return: true, meta: true}, ['alt+enter']],
	['', {return: true, shift: true}, ['shift+enter']],
	['', {escape: true, meta: true}, ['escape']],
	['\n', {}, ['ctrl+j']],
	['j', {ctrl: true}, ['ctrl+j']],
	['c', {ctrl: true}, ['ctrl+c']],
	['i', {ctrl: true}, ['tab']],
	['m', {ctrl: true}, ['enter']],
	['h', {ctrl: true}, ['backspace']],
	['[', {ctrl: true}, ['escape']],
	['ls -la\r', {}, ['ls -la', 'enter']],
	['a\nb', {}, ['a', 'ctrl+j', 'b']],
	['\x05', {}, ['ctrl+e']],
	['\x1f', {}, ['ctrl+_']],
	['\x1d', {}, ['ctrl+]']],
	['\u{10ff02}', {}, ['f2']],
	['\u{10ff02}', {ctrl: true}, ['ctrl+f2']],
	['\u{10ff0c}', {shift: true}, ['shift+f12']],
	['\u{10ff00}', {meta: true}, ['alt+insert']],
	['', {}, []],
	['j', {eventType: 'release'}, []],
])('%j with %j is %j', (input, key, expected) => {
	expect(names(input, key)).toEqual(expected);
});

test.each([
	['one\rtwo', false, true],
	['one\r\ntwo\r\n', false, true],
	['one\r', false, false],
	['\rtwo', false, false],
	['one two', false, false],
	['one\r\x1btwo', false, false],
	['two\r', true, true],
	['\r', true, false],
	['', true, false],
	['\x03', true, false],
])('%j, after a paste: %s, is one: %s', (input, isContinued, expected) => {
	expect(isUnmarkedPaste(input, isContinued)).toBe(expected);
});

test('a run of text types itself, and keeps every character when taken apart', () => {
	const [press] = keyPresses('g 界😀', {});
	expect(press?.text).toBe('g 界😀');
	expect(press && singleKeys(press).map(single => single.name)).toEqual(['g', 'space', '界', '😀']);
});
