import type {Rgb} from '../../domain/display.ts';
import type {ColorCoding} from './color-coding.ts';
import {black, contrast, isDarkColor, mix, white} from './colors.ts';

const steps = 32;

/**
 * A colour moved towards white or black, no further than it takes to be read on all of `grounds`: its contrast with
 * each is `minContrast` or more as the terminal shows it. Where no colour reaches that, the one that comes nearest.
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
 * The colour under the cursor's row: the background with some of `tint`. Where that would leave too little contrast for
 * any text, as on gray, the row moves away from the text instead, as far as it takes.
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

/** The end of the scale that text is nearer to. */
function textEnd(grounds: readonly Rgb[]): Rgb {
	return isDarkColor(grounds[0] ?? black) ? white : black;
}

function worst(color: Rgb, grounds: readonly Rgb[]): number {
	return Math.min(...grounds.map(ground => contrast(color, ground)));
}
