const unicode = {
	/** From the floor (zero) to the full height of a cell. */
	heights: ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'],
	/** Fills for the layers of a stacked bar. */
	fills: ['\u2588', '\u2592', '\u2591', '\u2593', '\u256b', '\u256a'],
	/** The lower half of a cell; used only where halves are distinguishable. */
	lowerHalf: '\u2584',
	/** A horizontal bar: a full column, and half a column at its end. */
	bar: '\u2501',
	halfBar: '\u2578',
	/** Marks for the lines of a line chart. */
	marks: ['\u25cf', '\u25cb', '\u25b2', '\u25a1', '\u25c6', '\u25b3'],
	/**
	 * Strokes between two marks of a line: vertical, horizontal, and the corners where it turns down and
	 * levels out, or turns up and levels out.
	 */
	stroke: '\u2502',
	level: '\u2500',
	downFrom: '\u2510',
	downTo: '\u2514',
	upFrom: '\u2518',
	upTo: '\u250c',
	/** Runs through the selected column of a line chart. */
	guide: '\u250a',
	/** Below the selected column. */
	pointer: '\u2191',
	/** Below the first day of a week. */
	tick: '\u2575',
	/** Heat map shades, from lowest to highest. */
	shades: ['\u2591', '\u2592', '\u2593', '\u2588'],
	/** Zero where there is only room for one character. */
	zero: '\u00b7',
	unknown: '\u2504',
};

/** Chart glyphs. Shape alone distinguishes every mark; color is never needed. */
export type Glyphs = typeof unicode;

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
