import {type Safe, stillSafe} from './safe.ts';

/** ASCII replacements of the same width and meaning, and the characters that we draw with which they replace. */
const replacements = {
	'-': '─┄◓◒▄',
	'=': '━≡▒▅',
	'|': '│┃▏',
	'+': '├┤┬┴┼╪╫╭╮╰╯┣┫┳┻╋┏┓┗┛✓▆',
	'>': '▌▸›→↳',
	'<': '‹←',
	'^': '▲△↑',
	v: '▼▾↓',
	'.': '·◌▂',
	'*': '•●◆▇',
	o: '○□☐',
	x: '☑✗',
	'%': '◐◑▓',
	'#': '▣█',
	'~': '≈…',
	':': '░▃',
	_: '▁',
	'"': '✎',
};
const asciiOf: ReadonlyMap<string, string> = new Map(
	Object.entries(replacements).flatMap(([ascii, drawn]) => [...drawn].map(character => [character, ascii])),
);
const drawnCharacter = new RegExp(`[${[...asciiOf.keys()].join('')}]`, 'g');

/** Replaces frames, marks and chart glyphs with ASCII; keeps letters of any script. */
export function inAscii(text: Safe): Safe {
	return stillSafe(text.replace(drawnCharacter, character => asciiOf.get(character) ?? character));
}
