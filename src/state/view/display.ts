import {createStore, type StoreApi} from 'zustand/vanilla';
import type {ColorDepth, DisplayPreferences, OwnColors, Rgb, ThemeName} from '../../domain/display.ts';

/** Display settings: the user's preferences resolved for the terminal. Shared by all profiles. */
export type Display = {
	readonly theme: ThemeName;
	readonly ownColors?: OwnColors;
	readonly colors: ColorDepth;
	/** Whether the terminal's background is dark: as reported, otherwise assumed dark. */
	readonly isDark: boolean;
	/** The exact background color, if the terminal reported it. */
	readonly background?: Rgb;
	readonly isScreenReader: boolean;
	/** No motion except for new information. */
	readonly hasReducedMotion: boolean;
	readonly isAscii: boolean;
};

export type DisplayStore = StoreApi<Display>;

type Terminal = {readonly colors: ColorDepth; readonly hasUnicode: boolean};

export function createDisplayStore(preferences: DisplayPreferences, terminal: Terminal): DisplayStore {
	const {colors} = terminal;
	return createStore<Display>(() => ({isDark: true, colors, ...resolveDisplay(preferences, terminal)}));
}

/** The display settings that follow from preferences. A screen reader gets ASCII and no motion. */
export function resolveDisplay(preferences: DisplayPreferences, {hasUnicode}: Terminal) {
	const {theme, ownColors, screenReader, reducedMotion, ascii} = preferences;
	return {
		theme,
		ownColors,
		isScreenReader: screenReader,
		hasReducedMotion: screenReader || reducedMotion,
		isAscii: screenReader || (ascii ?? !hasUnicode),
	};
}
