/** Chart glyphs. Shape alone distinguishes every mark; color is never needed. */
export type Glyphs = {
	/** From the floor (zero) to the full height of a cell. */
	readonly heights: readonly string[];
	/** Fills for the layers of a stacked bar. */
	readonly fills: readonly string[];
	/** The lower half of a cell; drawn only where halves can be told apart. */
	readonly lowerHalf: string;
	/** A horizontal bar: a full column, and half a column at its end. */
	readonly bar: string;
	readonly halfBar: string;
	/** Marks for the lines of a line chart. */
	readonly marks: readonly string[];
	/**
	 * Strokes between two marks of a line: vertical, horizontal, and the corners where it turns down and
	 * levels out, or turns up and levels out.
	 */
	readonly stroke: string;
	readonly level: string;
	readonly downFrom: string;
	readonly downTo: string;
	readonly upFrom: string;
	readonly upTo: string;
	/** Runs through the selected column of a line chart. */
	readonly guide: string;
	/** Below the selected column. */
	readonly pointer: string;
	/** Below the first day of a week. */
	readonly tick: string;
	/** Heat map shades, from lowest to highest. */
	readonly shades: readonly string[];
	/** Zero where there is only room for one character. */
	readonly zero: string;
	readonly unknown: string;
};

const unicode: Glyphs = {
	heights: ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'],
	fills: ['\u2588', '\u2592', '\u2591', '\u2593', '\u256b', '\u256a'],
	lowerHalf: '\u2584',
	bar: '\u2501',
	halfBar: '\u2578',
	marks: ['\u25cf', '\u25cb', '\u25b2', '\u25a1', '\u25c6', '\u25b3'],
	stroke: '\u2502',
	level: '\u2500',
	downFrom: '\u2510',
	downTo: '\u2514',
	upFrom: '\u2518',
	upTo: '\u250c',
	guide: '\u250a',
	pointer: '\u25b2',
	tick: '\u2575',
	shades: ['\u2591', '\u2592', '\u2593', '\u2588'],
	zero: '\u00b7',
	unknown: '\u2504',
};

const ascii: Glyphs = {
	heights: ['_', '.', ':', '-', '=', '+', '*', '#'],
	fills: ['#', '=', ':', '%', '+', 'o'],
	lowerHalf: '#',
	bar: '#',
	halfBar: '',
	marks: ['o', 'x', '+', '*', '@', '%'],
	stroke: '|',
	level: '-',
	downFrom: '.',
	downTo: "'",
	upFrom: "'",
	upTo: '.',
	guide: ':',
	pointer: '^',
	tick: "'",
	shades: ['-', '+', '*', '#'],
	zero: '.',
	unknown: '?',
};

export function glyphsOf(isAscii = false): Glyphs {
	return isAscii ? ascii : unicode;
}
