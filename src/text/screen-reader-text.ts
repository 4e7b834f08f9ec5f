import {type Safe, stillSafe} from './safe.ts';

/** Marks that only repeat in a shape what the words beside them say, and what frames are drawn with. */
const silent = /[─━┃┄╭╮╰╯┏┓┗┛▏✓✗●○◌◐◆□▣≡▾▸▲△▼█▓▒░▁▂▃▄▅▆▇]+ ?/g;
const said: Readonly<Record<string, string>> = {
	'▌': '>',
	'│': '|',
	'↑': 'up ',
	'↓': 'down ',
	'→': 'to ',
	'←': 'left ',
	'↳': 'then ',
	'›': '/',
	'‹': '/',
	'·': ',',
	'≈': 'about ',
	'…': '...',
};
const marks = new RegExp(`[${Object.keys(said).join('')}]`, 'g');

/** Text as a screen reader is to say it: words in the place of marks, nothing that is only drawn. */
export function screenReaderText(text: Safe): Safe {
	return stillSafe(
		text
			.replaceAll('(●)', '(x)')
			.replace(silent, '')
			.replace(/ ·/g, ',')
			.replace(marks, mark => said[mark] ?? ''),
	);
}
