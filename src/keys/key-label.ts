import {cleanLine} from '../text/cells/clean.ts';
import type {Safe} from '../text/cells/safe.ts';

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
	backspace: 'Backspace',
	delete: 'Delete',
	insert: 'Insert',
};
const modifiers: Readonly<Record<string, string>> = {ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift'};

/** Display form of a key: `ctrl+d` as Ctrl+D, `enter` as Enter. */
export function keyLabel(key: string): Safe {
	const parts = /^(.+\+)?(.+)$/.exec(key);
	const used = (parts?.[1] ?? '').split('+').filter(Boolean);
	const base = parts?.[2] ?? key;
	const isLoud = used.length > 0 || /^f\d+$/.test(base);
	const shown = signs[base] ?? (isLoud ? base.toUpperCase() : base);
	return cleanLine([...used.map(part => modifiers[part] ?? part), shown].join('+'));
}
