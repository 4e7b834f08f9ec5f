/** What charts are drawn with. Each mark says by its shape what it is: colour is never needed. */
export type Glyphs = {
	/** From the floor (zero) to the whole height of a cell. */
	readonly heights: readonly string[];
	/** Fills of the layers of a stacked bar, and of what is beyond them. */
	readonly fills: readonly string[];
	/** Marks of the lines of a line chart. */
	readonly marks: readonly string[];
	/** Between two marks of a line. */
	readonly stroke: string;
	/** Shades of a heat map, from a little to the most. */
	readonly shades: readonly string[];
	/** Zero where there is room for one character only. */
	readonly zero: string;
	readonly unknown: string;
};

const unicode: Glyphs = {
	heights: ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'],
	fills: ['\u2588', '\u2592', '\u2591', '\u2593', '\u256b', '\u256a'],
	marks: ['\u25cf', '\u25cb', '\u25b2', '\u25a1', '\u25c6', '\u25b3'],
	stroke: '\u2502',
	shades: ['\u2591', '\u2592', '\u2593', '\u2588'],
	zero: '\u00b7',
	unknown: '\u2504',
};

const ascii: Glyphs = {
	heights: ['_', '.', ':', '-', '=', '+', '*', '#'],
	fills: ['#', '=', ':', '%', '+', 'o'],
	marks: ['o', 'x', '+', '*', '@', '%'],
	stroke: '|',
	shades: ['-', '+', '*', '#'],
	zero: '.',
	unknown: '?',
};

export function glyphsOf(isAscii = false): Glyphs {
	return isAscii ? ascii : unicode;
}
