import {type Safe, stillSafe} from './safe.ts';

/** Marks that only repeat what the words beside them say, and characters that draw frames. */
const silent = /[─━┃┄├┤┬┴┼┣┫┳┻╋╭╮╰╯┏┓┗┛▏✓✗●○◌◐◓◑◒◆□▣≡▾▸▲△▼█▓▒░▁▂▃▄▅▆▇]+ ?/g;
const spoken: Readonly<Record<string, string>> = {
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
	'☐': 'open:',
	'☑': 'done:',
	'≈': 'about ',
	'…': '...',
	'✎': 'draft,',
};
const marks = new RegExp(`[${Object.keys(spoken).join('')}]`, 'g');

/** Text for a screen reader: replaces marks with words and drops decoration. */
export function screenReaderText(text: Safe): Safe {
	return stillSafe(
		text
			.replaceAll('(●)', '(x)')
			.replace(silent, '')
			.replace(/ ·/g, ',')
			.replace(marks, mark => spoken[mark] ?? ''),
	);
}
