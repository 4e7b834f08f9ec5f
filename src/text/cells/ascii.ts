import {type Safe, stillSafe} from './safe.ts';

/** Characters that we draw, and ASCII replacements of the same width and meaning. */
const drawn: Readonly<Record<string, string>> = {
	'─': '-',
	'━': '=',
	'│': '|',
	'┃': '|',
	'┄': '-',
	'┼': '+',
	'╪': '+',
	'╫': '+',
	'╭': '+',
	'╮': '+',
	'╰': '+',
	'╯': '+',
	'┏': '+',
	'┓': '+',
	'┗': '+',
	'┛': '+',
	'▌': '>',
	'▏': '|',
	'▲': '^',
	'△': '^',
	'▼': 'v',
	'▾': 'v',
	'▸': '>',
	'›': '>',
	'‹': '<',
	'↑': '^',
	'↓': 'v',
	'→': '>',
	'←': '<',
	'↳': '>',
	'·': '.',
	'•': '*',
	'●': '*',
	'○': 'o',
	'◌': '.',
	'◐': '%',
	'◆': '*',
	'□': 'o',
	'▣': '#',
	'✓': '+',
	'✗': 'x',
	'≈': '~',
	'≡': '=',
	'…': '~',
	'█': '#',
	'▓': '%',
	'▒': '=',
	'░': ':',
	'▁': '_',
	'▂': '.',
	'▃': ':',
	'▄': '-',
	'▅': '=',
	'▆': '+',
	'▇': '*',
};
const drawnCharacter = new RegExp(`[${Object.keys(drawn).join('')}]`, 'g');

/**
 * Replaces frames, marks and chart glyphs with ASCII, for terminals that can't draw anything else. Keeps
 * letters of any script.
 */
export function inAscii(text: Safe): Safe {
	return stillSafe(text.replace(drawnCharacter, character => drawn[character] ?? character));
}
