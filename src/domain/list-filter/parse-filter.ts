import {type FilterToken, quoted, scanFilter} from './scan-filter.ts';

/** What a term looks at. `word` looks at everything that names a row. */
export type TermKind = 'word' | 'state' | 'computer' | 'tag' | 'model' | 'folder' | 'is';

/** One condition of a filter. The value is in lower case. */
export type FilterTerm = {readonly kind: TermKind; readonly value: string; readonly isNot: boolean};

/** What is wrong with a part of a filter (UTF-16 units), in words that say what to type instead. */
export type FilterProblem = {readonly start: number; readonly end: number; readonly what: string};

/** Rows must meet every term. A term with a problem is none: it hides nothing until it is right. */
export type Filter = {readonly terms: readonly FilterTerm[]; readonly problems: readonly FilterProblem[]};

/** How each kind of term begins: the short form, the long one, and what it is. */
export const termKeys = [
	{short: 's', long: 'state', kind: 'state', title: 'state'},
	{short: 'c', long: 'computer', kind: 'computer', title: 'computer'},
	{short: '#', long: 'tag', kind: 'tag', title: 'tag'},
	{short: 'm', long: 'model', kind: 'model', title: 'model'},
	{short: 'f', long: 'folder', kind: 'folder', title: 'folder'},
	{short: 'is', long: 'is', kind: 'is', title: 'pinned, archived, local'},
] as const satisfies readonly {short: string; long: string; kind: TermKind; title: string}[];

/** States of sessions and of computers, as the screen names them; `waiting` are all that need the user. */
export const stateWords = [
	'waiting',
	'approve',
	'reply',
	'error',
	'unsent',
	'seen',
	'snoozed',
	'working',
	'pending',
	'idle',
	'done',
	'ended',
	'unknown',
	'active',
	'provisioning',
	'failed',
] as const;
export type StateWord = (typeof stateWords)[number];

export const isWords = ['pinned', 'archived', 'local'] as const;
export type IsWord = (typeof isWords)[number];

/** Reads a filter as it is typed. `otherStates` are words of the service that rows have now, in lower case. */
export function parseFilter(text: string, otherStates: readonly string[] = []): Filter {
	const terms: FilterTerm[] = [];
	const problems: FilterProblem[] = [];
	for (const token of scanFilter(text)) {
		const read = readTerm(token, otherStates);
		if (typeof read === 'string') problems.push({start: token.start, end: token.end, what: read});
		else if (read) terms.push(read);
	}
	return {terms, problems};
}

/** The term of a token; words when it is none; nothing while its value is still to be typed. */
function readTerm(token: FilterToken, otherStates: readonly string[]): FilterTerm | string | undefined {
	const {key, isNot} = token;
	const value = token.value.toLowerCase();
	const known = termKeys.find(({short, long}) => key === short || key === long);
	if (key !== undefined && !known)
		return `${key}: is no term: ${keyList}; ${quoted(`${key}:${token.value}`)} looks for the words`;
	if (value === '') return undefined;
	const kind = known?.kind ?? 'word';
	if (kind === 'state' && !isPrefixOf(value, [...stateWords, ...otherStates]))
		return `no state begins with ${value}: ${stateWords.join(', ')}`;
	if (kind === 'is' && !isPrefixOf(value, isWords)) return `is: takes ${isWords.join(', ')}`;
	return {kind, value, isNot};
}

const keyList = termKeys.map(({short}) => (short === '#' ? '#tag' : `${short}:`)).join(' ');

function isPrefixOf(value: string, words: readonly string[]): boolean {
	return words.some(word => word.startsWith(value));
}

/** A filter as text that is read as the same terms. */
export function formatFilter(terms: readonly FilterTerm[]): string {
	return terms.map(formatTerm).join(' ');
}

function formatTerm({kind, value, isNot}: FilterTerm): string {
	const key = termKeys.find(one => one.kind === kind)?.short;
	const start = key === undefined ? '' : key === '#' ? '#' : `${key}:`;
	return `${isNot ? '!' : ''}${start}${quoted(value)}`;
}
