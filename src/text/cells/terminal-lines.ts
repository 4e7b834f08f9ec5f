import {eachGrapheme, graphemeWidth} from './graphemes.ts';

const lineBreak = /\r+\n|[\u2028\u2029]/g;
/** A carriage return, or a sequence that moves within the line or erases in it. */
const rewriting = /\r|\u001b\[\d{0,4}[GK]/;
const part = /\r|\u001b\[([\d;]{0,60})([mGK])|\u001b|[^\r\u001b]+/g;
const introducer = '\u001b[';
/** A column further to the right is taken for this one. */
const maxColumn = 300;

/**
 * A text with line feeds only, each line as a terminal leaves it: a progress bar that is drawn again and again is its
 * last state. Raw, and measured and cut only after this.
 */
export function terminalText(raw: string): string {
	const text = raw.replace(lineBreak, '\n');
	if (!rewriting.test(text)) return text;
	return text
		.split('\n')
		.map(line => (rewriting.test(line) ? terminalLine(line) : line))
		.join('\n');
}

/** A text with line feeds only, in which a carriage return ends a line. */
export function withLineFeeds(raw: string): string {
	return raw.replace(lineBreak, '\n').replaceAll('\r', '\n');
}

function terminalLine(line: string): string {
	let cells: {readonly text: string; readonly look: string}[] = [];
	let column = 0;
	/** The sequences that set the colors here. */
	let look = '';
	const write = (text: string) => {
		while (cells.length < column) cells.push({text: ' ', look: ''});
		eachGrapheme(text, grapheme => {
			cells[column++] = {text: grapheme, look};
			// A wide character has a second cell, without text.
			if (graphemeWidth(grapheme) > 1) cells[column++] = {text: '', look};
			return undefined;
		});
	};
	for (const [whole, codes = '', final] of line.matchAll(part)) {
		if (whole === '\r') column = 0;
		else if (final === 'm') look = /^0?$/.test(codes) || look.length > 200 ? whole : look + whole;
		else if (final === 'G') column = Math.min(maxColumn, Math.max(0, Number(codes || 1) - 1));
		else if (final === 'K' && codes === '2') cells = [];
		else if (final === 'K' && codes === '1') cells.fill({text: ' ', look: ''}, 0, column + 1);
		else if (final === 'K') cells.length = Math.min(cells.length, column);
		else write(whole);
	}
	let written = '';
	let current = '';
	const change = (next: string) => {
		if (next !== current) written += next.startsWith(current) ? next : `${introducer}0m${next}`;
		current = next;
	};
	for (const cell of cells) {
		change(cell.look);
		written += cell.text;
	}
	change(look);
	return written;
}
