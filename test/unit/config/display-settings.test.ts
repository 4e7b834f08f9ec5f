import {expect, test} from 'vitest';
import {readDisplay} from '../../../src/config/display-settings.ts';

const none = {theme: 'auto', screenReader: false, reducedMotion: false} as const;

test('follows the terminal if nothing is set', () => {
	expect(readDisplay({}, {}, {}, {})).toEqual(none);
});

test.each([
	['the file', {}, {}, {}, {theme: 'light'}, 'light'],
	['the profile over the file', {}, {}, {theme: 'dark'}, {theme: 'light'}, 'dark'],
	['the environment over both', {}, {QUARTERDECK_THEME: 'none'}, {theme: 'dark'}, {theme: 'light'}, 'none'],
	['the flag over all', {theme: 'ansi'}, {QUARTERDECK_THEME: 'none'}, {theme: 'dark'}, {}, 'ansi'],
	['NO_COLOR where nothing is chosen', {}, {NO_COLOR: '1'}, {}, {}, 'none'],
	['an empty NO_COLOR is none', {}, {NO_COLOR: ''}, {}, {}, 'auto'],
	['what is chosen over NO_COLOR', {}, {NO_COLOR: '1'}, {theme: 'dark'}, {}, 'dark'],
	['FORCE_COLOR over NO_COLOR', {}, {NO_COLOR: '1', FORCE_COLOR: '3'}, {}, {}, 'auto'],
] as const)('theme: %s', (_, flags, env, profile, file, theme) => {
	expect(readDisplay(flags, env, profile, file).theme).toBe(theme);
});

test.each([
	[{INK_SCREEN_READER: 'true'}, {}, true],
	[{INK_SCREEN_READER: 'false'}, {screenReader: true}, false],
	[{}, {screenReader: true}, true],
])('screen reader: %j over %j', (env, profile, expected) => {
	expect(readDisplay({}, env, profile, {}).screenReader).toBe(expected);
});

test('reads switches from the flags, the profile and the file', () => {
	const flags = {screenReader: true, reducedMotion: true, ascii: true};
	expect(readDisplay(flags, {}, {}, {})).toEqual({...flags, theme: 'auto'});
	expect(readDisplay({}, {}, {ascii: false}, {ascii: true, reducedMotion: true})).toMatchObject({
		ascii: false,
		reducedMotion: true,
	});
});

test('refuses an unknown theme, and names the known ones and where it was set', () => {
	expect(() => readDisplay({theme: 'solarized'}, {}, {}, {})).toThrow(/--theme is solarized: .*dark, light/);
	expect(() => readDisplay({}, {QUARTERDECK_THEME: 'x'}, {}, {})).toThrow(/QUARTERDECK_THEME/);
});
