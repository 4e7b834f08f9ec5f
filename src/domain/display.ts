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

/** The user's display preferences, before terminal capabilities are known. */
export type DisplayPreferences = {
	readonly theme: ThemeName;
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
