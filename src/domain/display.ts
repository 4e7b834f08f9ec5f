/** Colours to draw with. `auto` is `dark` or `light`, as the terminal's background is. */
export const themeNames = ['auto', 'dark', 'light', 'high-contrast', 'ansi', 'none'] as const;

export type ThemeName = (typeof themeNames)[number];

/** How the user wants things shown, before it is known what the terminal can. */
export type DisplayPreferences = {
	readonly theme: ThemeName;
	/** One column of words in reading order: no frames, no glyphs, nothing that moves. */
	readonly screenReader: boolean;
	/** Nothing moves that doesn't bring news. */
	readonly reducedMotion: boolean;
	/** Draw with ASCII alone; absent: as the terminal's locale tells. */
	readonly ascii?: boolean;
};

/** How many colours the terminal shows. */
export type ColorDepth = 'truecolor' | '256' | '16' | 'none';

/** A colour: red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];
