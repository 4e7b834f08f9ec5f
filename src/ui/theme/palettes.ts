import type {Rgb} from '../../domain/display.ts';

/** The program's colors. Only this file, including `ansi` below, names colors; all others name tones. */
export type ColorName =
	| 'strong'
	| 'dim'
	| 'accent'
	| 'good'
	| 'warn'
	| 'bad'
	| 'info'
	| 'user'
	| 'code'
	| 'border';

export type Palette = Readonly<Record<ColorName, Rgb>>;

/** Calm: one accent, three signal colors, everything else in shades of gray. For dark backgrounds. */
export const dark: Palette = {
	strong: [0xe6, 0xe9, 0xf2],
	dim: [0x8d, 0x95, 0xab],
	accent: [0x8a, 0xad, 0xf4],
	good: [0x9d, 0xce, 0x8b],
	warn: [0xe8, 0xb8, 0x6d],
	bad: [0xf0, 0x7d, 0x8c],
	info: [0x86, 0xc8, 0xd8],
	user: [0xc3, 0xa6, 0xf2],
	code: [0xb6, 0xc2, 0xdd],
	border: [0x4a, 0x52, 0x6a],
};

/** The same hues for light backgrounds. */
export const light: Palette = {
	strong: [0x16, 0x1a, 0x26],
	dim: [0x5c, 0x64, 0x78],
	accent: [0x1f, 0x55, 0xd0],
	good: [0x26, 0x74, 0x2c],
	warn: [0x8c, 0x55, 0x00],
	bad: [0xbf, 0x24, 0x38],
	info: [0x06, 0x6c, 0x82],
	user: [0x75, 0x38, 0xc0],
	code: [0x34, 0x44, 0x66],
	border: [0x90, 0x98, 0xac],
};

/** Vivid hues, no grays between text and background. */
export const vividDark: Palette = {
	strong: [0xff, 0xff, 0xff],
	dim: [0xd4, 0xd8, 0xe2],
	accent: [0x8c, 0xc8, 0xff],
	good: [0x86, 0xf0, 0x86],
	warn: [0xff, 0xd7, 0x3a],
	bad: [0xff, 0x9a, 0x9a],
	info: [0x74, 0xf0, 0xff],
	user: [0xe6, 0xb8, 0xff],
	code: [0xe2, 0xea, 0xff],
	border: [0xd4, 0xd8, 0xe2],
};

export const vividLight: Palette = {
	strong: [0x00, 0x00, 0x00],
	dim: [0x2e, 0x33, 0x3f],
	accent: [0x00, 0x2f, 0xa8],
	good: [0x00, 0x52, 0x0a],
	warn: [0x63, 0x38, 0x00],
	bad: [0x8f, 0x00, 0x16],
	info: [0x00, 0x4a, 0x5c],
	user: [0x50, 0x10, 0x96],
	code: [0x1c, 0x28, 0x44],
	border: [0x2e, 0x33, 0x3f],
};

/** Text and background of a theme that paints its own. */
export type Ground = {readonly text: Rgb; readonly ground: Rgb};

/** Grounds of the themes chosen by name, which look the same in every terminal; `auto` has none. */
export const grounds: Readonly<Record<'dark' | 'light' | 'vividDark' | 'vividLight', Ground>> = {
	dark: {text: [0xd8, 0xdb, 0xe5], ground: [0x12, 0x14, 0x1c]},
	light: {text: [0x1f, 0x24, 0x33], ground: [0xfa, 0xfb, 0xfc]},
	vividDark: {text: [0xff, 0xff, 0xff], ground: [0x00, 0x00, 0x00]},
	vividLight: {text: [0x00, 0x00, 0x00], ground: [0xff, 0xff, 0xff]},
};

/** Tint of the cursor's row. */
export const rowTint: Rgb = [0x6c, 0x86, 0xd0];

/**
 * Backgrounds that each palette must be readable on while the terminal doesn't report its own: the darkest
 * and the lightest of common color schemes.
 */
export const assumed: Readonly<Record<'dark' | 'light', readonly [Rgb, Rgb]>> = {
	dark: [
		[0x00, 0x00, 0x00],
		[0x2e, 0x34, 0x40],
	],
	light: [
		[0xff, 0xff, 0xff],
		[0xe1, 0xe2, 0xe7],
	],
};

/**
 * SGR parameters for the sixteen colors, which the user's terminal defines. Colors too faint on the
 * background in xterm's palette use the terminal's own text color; glyphs and words carry their meaning.
 */
export const ansi: Readonly<Record<'dark' | 'light', Readonly<Record<ColorName, string>>>> = {
	dark: {
		strong: '97',
		dim: '90',
		accent: '96',
		good: '32',
		warn: '33',
		bad: '91',
		info: '36',
		user: '95',
		code: '37',
		border: '90',
	},
	light: {
		strong: '',
		dim: '',
		accent: '34',
		good: '',
		warn: '35',
		bad: '31',
		info: '34',
		user: '35',
		code: '',
		border: '',
	},
};
