import {cleanLine} from '../text/clean.ts';
import type {Safe} from '../text/safe.ts';

const signs: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	enter: 'Enter',
	escape: 'Esc',
	tab: 'Tab',
	space: 'Space',
	home: 'Home',
	end: 'End',
	pageup: 'PgUp',
	pagedown: 'PgDn',
};
const modifiers: Readonly<Record<string, string>> = {ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift'};

/** How a key is shown: `ctrl+d` as Ctrl+D, `enter` as Enter. */
export function keyLabel(key: string): Safe {
	const parts = key.split('+');
	const base = parts.at(-1) ?? key;
	const shown = signs[base] ?? (parts.length > 1 ? base.toUpperCase() : base);
	return cleanLine([...parts.slice(0, -1).map(part => modifiers[part] ?? part), shown].join('+'));
}
