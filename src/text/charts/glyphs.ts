/** What charts are drawn with. Each mark says by its shape what it is: colour is never needed. */
export type Glyphs = {
	/** From the floor (zero) to the whole height of a cell. */
	readonly heights: readonly string[];
	/** Fills of the layers of a stacked bar, and of what is beyond them. */
	readonly fills: readonly string[];
	/** A lying bar: a whole column of it, and half of one at its end. */
	readonly bar: string;
	readonly halfBar: string;
	/** Marks of the lines of a line chart. */
	readonly marks: readonly string[];
	/** Between two marks of a line: upright, lying, and where it turns down from, down to, up from and up to. */
	readonly stroke: string;
	readonly level: string;
	readonly downFrom: string;
	readonly downTo: string;
	readonly upFrom: string;
	readonly upTo: string;
	/** Through the selected column of a line chart. */
	readonly guide: string;
	/** Under the selected column. */
	readonly pointer: string;
	/** Shades of a heat map, from a little to the most. */
	readonly shades: readonly string[];
	/** Zero where there is room for one character only. */
	readonly zero: string;
	readonly unknown: string;
};

const unicode: Glyphs = {
	heights: ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'],
	fills: ['\u2588', '\u2592', '\u2591', '\u2593', '\u256b', '\u256a'],
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
	shades: ['\u2591', '\u2592', '\u2593', '\u2588'],
	zero: '\u00b7',
	unknown: '\u2504',
};

const ascii: Glyphs = {
	heights: ['_', '.', ':', '-', '=', '+', '*', '#'],
	fills: ['#', '=', ':', '%', '+', 'o'],
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
	shades: ['-', '+', '*', '#'],
	zero: '.',
	unknown: '?',
};

export function glyphsOf(isAscii = false): Glyphs {
	return isAscii ? ascii : unicode;
}
