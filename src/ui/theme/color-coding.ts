import type {Rgb} from '../../domain/display.ts';
import {indexed, nearestIndex} from './colors.ts';

/** How a terminal is told a colour. */
export type ColorCoding = {
	/** What it shows for a colour: the nearest it has. */
	shown(color: Rgb): Rgb;
	/** SGR parameters after `38;` (text) or `48;` (background). */
	sgr(color: Rgb): string;
};

export const direct: ColorCoding = {
	shown: color => color,
	sgr: color => `2;${color.join(';')}`,
};

/** The 240 of the 256 that are the same in every terminal. */
export const indexes: ColorCoding = {
	shown: color => indexed(nearestIndex(color)),
	sgr: color => `5;${nearestIndex(color)}`,
};
