import {createStore, type StoreApi} from 'zustand/vanilla';
import type {ColorDepth, DisplayPreferences, Rgb, ThemeName} from '../domain/display.ts';

/** How things are shown: what the user wants, on what the terminal can. One for the program, whatever profile is open. */
export type Display = {
	readonly theme: ThemeName;
	readonly colors: ColorDepth;
	/** Is the terminal's background dark? As it tells, or as most are. */
	readonly isDark: boolean;
	/** Its very colour, when the terminal told. */
	readonly background?: Rgb;
	readonly isScreenReader: boolean;
	/** Nothing moves that doesn't bring news. */
	readonly isStill: boolean;
	/** Draw with ASCII alone. */
	readonly isAscii: boolean;
};

export type DisplayStore = StoreApi<Display>;

/** What is known of the terminal at the start. */
type Terminal = {readonly colors: ColorDepth; readonly hasUnicode: boolean; readonly isDark?: boolean};

export function createDisplayStore(wishes: DisplayPreferences, terminal: Terminal): DisplayStore {
	const {colors, isDark = true} = terminal;
	return createStore<Display>(() => ({isDark, colors, ...wanted(wishes, terminal)}));
}

/** What a profile of the configuration wants of the display. A screen reader is told in words what ASCII can spell. */
export function wanted(wishes: DisplayPreferences, {hasUnicode}: Pick<Terminal, 'hasUnicode'>) {
	const {theme, screenReader, reducedMotion, ascii} = wishes;
	return {
		theme,
		isScreenReader: screenReader,
		isStill: screenReader || reducedMotion,
		isAscii: screenReader || (ascii ?? !hasUnicode),
	};
}
