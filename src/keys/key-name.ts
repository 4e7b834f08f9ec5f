import {nearest} from '../domain/nearest.ts';

/** Named (non-character) keys, as produced by `keyPresses`. */
const named = [
	'up',
	'down',
	'left',
	'right',
	'enter',
	'escape',
	'tab',
	'space',
	'backspace',
	'delete',
	'insert',
	'home',
	'end',
	'pageup',
	'pagedown',
	...Array.from({length: 12}, (_, index) => `f${index + 1}`),
] as const;

const aliases: Readonly<Record<string, string>> = {
	esc: 'escape',
	return: 'enter',
	del: 'delete',
	ins: 'insert',
	pgup: 'pageup',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
	' ': 'space',
};
const modifiers = ['ctrl', 'alt', 'shift'] as const;
/** Combinations for which most terminals send the same input as for another key. */
export const sameAs: Readonly<Record<string, string>> = {
	'ctrl+i': 'tab',
	'ctrl+m': 'enter',
	'ctrl+[': 'escape',
	'ctrl+h': 'backspace',
};
const modifierAliases: Readonly<Record<string, string>> = {
	control: 'ctrl',
	meta: 'alt',
	option: 'alt',
	opt: 'alt',
};

/** A parsed key name as used by dispatch, or an error. */
export type ParsedKey = {readonly key: string} | {readonly problem: string};

/**
 * Parses a key as a person writes it: `ctrl+x`, `F2`, `Shift+Tab`, `G`, `:`. Terminals don't report Shift
 * separately for character and Ctrl keys, so for Shift with a character, the result is the character it
 * types.
 */
export function parseKey(written: string): ParsedKey {
	const trimmed = written.length > 1 ? written.trim() : written;
	// The key itself may be a plus: `+`, `ctrl++`.
	const parts = trimmed === '+' ? ['+'] : trimmed.replace(/\+\+$/, '+plus').split('+');
	const last = parts.at(-1) ?? '';
	const base = last === 'plus' && trimmed.endsWith('++') ? '+' : last;
	const used = parts.slice(0, -1).map(part => {
		const lower = part.trim().toLowerCase();
		return modifierAliases[lower] ?? lower;
	});
	const unknown = used.find(part => !modifiers.some(modifier => modifier === part));
	if (unknown !== undefined) return {problem: unknownKey(written, [...modifiers], unknown)};
	const name = aliases[base.toLowerCase()] ?? base.toLowerCase();
	const isNamed = named.some(key => key === name);
	if (!isNamed && Array.from(base).length !== 1) return {problem: unknownKey(written, named, base)};
	if (!isNamed && used.includes('shift')) return shifted(written, base, used);
	const character = used.length > 0 || isNamed ? name : base;
	const key = [...modifiers.filter(modifier => used.includes(modifier)), character].join('+');
	const same = sameAs[key];
	return same === undefined ? {key} : {problem: `a terminal can't tell ${key} from ${same}`};
}

export function typesText(key: string): boolean {
	return key === 'space' || Array.from(key).length === 1;
}

function shifted(written: string, base: string, used: readonly string[]): ParsedKey {
	const upper = base.toUpperCase();
	if (used.length > 1 || upper === base.toLowerCase())
		return {problem: `a terminal can't tell ${written} from the same key without Shift`};
	return {key: upper};
}

function unknownKey(written: string, words: Iterable<string>, misspelled: string): string {
	const suggestion = nearest(misspelled, words);
	return `there is no key ${written}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`;
}
