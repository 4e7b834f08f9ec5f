import type {Rgb} from '../../domain/display.ts';

export const white: Rgb = [255, 255, 255];
export const black: Rgb = [0, 0, 0];

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance([red, green, blue]: Rgb): number {
	return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
	const share = value / 255;
	return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Contrast of two colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
	return contrastOf(luminance(one), luminance(other));
}

/** The least contrast of a color with grounds of these luminances. */
export function worstContrast(color: Rgb, grounds: readonly number[]): number {
	const light = luminance(color);
	return Math.min(...grounds.map(ground => contrastOf(light, ground)));
}

function contrastOf(one: number, other: number): number {
	return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Mixes `share` (0 to 1) of `to` into `from`. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
	const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
	return [part(0), part(1), part(2)];
}

/** Whether light text is more readable on this color than dark text. */
export function isDarkColor(color: Rgb): boolean {
	return contrast(white, color) >= contrast(black, color);
}

/** Channel levels of the color cube. */
const levels: readonly number[] = [0, 95, 135, 175, 215, 255];

/** The color that terminals show for an index of xterm's cube or gray ramp, 16 to 255; the same in every terminal. */
export function indexed(index: number): Rgb {
	if (index >= 232) {
		const shade = 8 + (index - 232) * 10;
		return [shade, shade, shade];
	}
	const offset = index - 16;
	const level = (step: number) => levels[step] ?? 0;
	return [level(Math.floor(offset / 36)), level(Math.floor(offset / 6) % 6), level(offset % 6)];
}

/** Index of the nearest color in xterm's 6x6x6 cube or its gray ramp. */
function nearestIndex([red, green, blue]: Rgb): number {
	const step = (value: number) =>
		levels.reduce(
			(best, level, index) =>
				Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value) ? index : best,
			0,
		);
	const cube = 16 + 36 * step(red) + 6 * step(green) + step(blue);
	const gray = 232 + Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
	const distance = (index: number) => {
		const [r, g, b] = indexed(index);
		return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
	};
	return distance(gray) < distance(cube) ? gray : cube;
}

/** How colors are encoded for a terminal. */
export type ColorCoding = {
	/** The nearest color that the terminal can show. */
	shown(color: Rgb): Rgb;
	/** SGR parameters after `38;` (text) or `48;` (background). */
	sgr(color: Rgb): string;
};

export const trueColor: ColorCoding = {
	shown: color => color,
	sgr: color => `2;${color.join(';')}`,
};

/** The 240 of the 256 colors that are the same in every terminal. */
export const indexedColors: ColorCoding = {
	shown: color => indexed(nearestIndex(color)),
	sgr: color => `5;${nearestIndex(color)}`,
};
