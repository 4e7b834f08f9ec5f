import type {Rgb} from '../../domain/display.ts';
import type {ColorCoding} from './color-coding.ts';
import {black, contrast, isDarkColor, mix, white} from './colors.ts';

const steps = 32;

/**
 * Moves a color towards white or black, only as far as needed to be readable on all of `grounds`: its
 * contrast with each, as the terminal shows it, is at least `minContrast`. If no color reaches that, returns
 * the closest one.
 */
export function fitColor(color: Rgb, grounds: readonly Rgb[], minContrast: number, coding: ColorCoding): Rgb {
	const end = textEnd(grounds);
	for (let step = 0; step < steps; step++) {
		const mixed = mix(color, end, step / steps);
		if (worst(coding.shown(mixed), grounds) >= minContrast) return mixed;
	}
	return end;
}

/**
 * The color of the cursor's row: the background mixed with some of `tint`. If that leaves too little contrast
 * for any text, as on gray, moves the row away from the text color as far as needed.
 */
export function rowColor(
	backgrounds: readonly Rgb[],
	tint: Rgb,
	minContrast: number,
	coding: ColorCoding,
): Rgb {
	const end = textEnd(backgrounds);
	const nearest = backgrounds.at(-1) ?? black;
	const tinted = mix(nearest, tint, 0.2);
	if (worst(end, [coding.shown(tinted)]) >= minContrast) return tinted;
	const away = end === white ? black : white;
	for (let share = 0.2; share < 1; share += 0.1) {
		const moved = mix(nearest, away, share);
		if (worst(end, [coding.shown(moved)]) >= minContrast) return moved;
	}
	return away;
}

/** White or black, whichever text is nearer to. */
function textEnd(grounds: readonly Rgb[]): Rgb {
	return isDarkColor(grounds[0] ?? black) ? white : black;
}

function worst(color: Rgb, grounds: readonly Rgb[]): number {
	return Math.min(...grounds.map(ground => contrast(color, ground)));
}
