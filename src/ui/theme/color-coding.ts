import type {Rgb} from '../../domain/display.ts';
import {indexed, nearestIndex} from './colors.ts';

/** How colors are encoded for a terminal. */
export type ColorCoding = {
	/** The nearest color that the terminal can show. */
	shown(color: Rgb): Rgb;
	/** SGR parameters after `38;` (text) or `48;` (background). */
	sgr(color: Rgb): string;
};

export const direct: ColorCoding = {
	shown: color => color,
	sgr: color => `2;${color.join(';')}`,
};

/** The 240 of the 256 colors that are the same in every terminal. */
export const indexes: ColorCoding = {
	shown: color => indexed(nearestIndex(color)),
	sgr: color => `5;${nearestIndex(color)}`,
};
