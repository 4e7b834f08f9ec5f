import {ownEntry} from './objects.ts';

/** Color themes. `auto` resolves to `dark` or `light` from the terminal's background. */
export const themeNames = [
	'auto',
	'dark',
	'light',
	'high-contrast',
	'catppuccin',
	'gruvbox',
	'tokyonight',
	'ansi',
	'none',
] as const;

export type ThemeName = (typeof themeNames)[number];

/** The colors of a theme, which tones are drawn in. */
export const colorNames = [
	'strong',
	'dim',
	'accent',
	'good',
	'warn',
	'bad',
	'info',
	'user',
	'code',
	'border',
] as const;

export type ColorName = (typeof colorNames)[number];

/** Colors of one's own, in place of the theme's. */
export type OwnColors = Readonly<Partial<Record<ColorName, Rgb>>>;

/** The sixteen colors by name, in the order of their numbers, as xterm shows them. */
export const sixteenColors: Readonly<Record<string, Rgb>> = {
	black: [0, 0, 0],
	red: [205, 0, 0],
	green: [0, 205, 0],
	yellow: [205, 205, 0],
	blue: [0, 0, 238],
	magenta: [205, 0, 205],
	cyan: [0, 205, 205],
	white: [229, 229, 229],
	'bright-black': [127, 127, 127],
	'bright-red': [255, 0, 0],
	'bright-green': [0, 255, 0],
	'bright-yellow': [255, 255, 0],
	'bright-blue': [92, 92, 255],
	'bright-magenta': [255, 0, 255],
	'bright-cyan': [0, 255, 255],
	'bright-white': [255, 255, 255],
};

/** Parses `#rrggbb` or one of the sixteen names; undefined if it is neither. */
export function parseColor(text: string): Rgb | undefined {
	const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
	if (red === undefined || green === undefined || blue === undefined) return ownEntry(sixteenColors, text);
	return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The user's display preferences, before terminal capabilities are known. */
export type DisplayPreferences = {
	readonly theme: ThemeName;
	readonly ownColors?: OwnColors;
	/** A single column of text in reading order: no frames, glyphs or animation. */
	readonly screenReader: boolean;
	/** No motion except for new information. */
	readonly reducedMotion: boolean;
	/** Draw with ASCII only; if absent, decided by the terminal's locale. */
	readonly ascii?: boolean;
};

export type ColorDepth = 'truecolor' | '256' | '16' | 'none';

/** A color: red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];
