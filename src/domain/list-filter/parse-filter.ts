import {type FilterToken, quoted, scanFilter} from './scan-filter.ts';

/** What a term matches. `word` matches any text that identifies a row. */
export type TermKind = 'word' | 'state' | 'computer' | 'tag' | 'model' | 'folder' | 'is';

/** One condition of a filter. The value is in lower case. */
export type FilterTerm = {readonly kind: TermKind; readonly value: string; readonly isNot: boolean};

/**
 * An error in a range of the filter text (UTF-16 code units), with a message that says what to type instead.
 */
export type FilterProblem = {readonly start: number; readonly end: number; readonly what: string};

/** A parsed filter; rows must match every term. A term with a problem is left out until it is fixed. */
export type Filter = {readonly terms: readonly FilterTerm[]; readonly problems: readonly FilterProblem[]};

/** The prefixes of each term kind: short form, long form and description. */
export const termKeys = [
	{short: 's', long: 'state', kind: 'state', title: 'state'},
	{short: 'c', long: 'computer', kind: 'computer', title: 'computer'},
	{short: '#', long: 'tag', kind: 'tag', title: 'tag'},
	{short: 'm', long: 'model', kind: 'model', title: 'model'},
	{short: 'f', long: 'folder', kind: 'folder', title: 'folder'},
	{short: 'is', long: 'is', kind: 'is', title: 'pinned, archived, local'},
] as const satisfies readonly {short: string; long: string; kind: TermKind; title: string}[];

/**
 * State names of sessions and computers as shown on screen; `waiting` covers everything that needs the user.
 */
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

/**
 * Parses a filter, which may be incomplete. `otherStates` are unknown service states present in the rows,
 * lower case.
 */
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

/** Parses a token: a term, or an error message if invalid, or undefined while its value is still missing. */
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

/** Formats terms as filter text that parses back to the same terms. */
export function formatFilter(terms: readonly FilterTerm[]): string {
	return terms.map(formatTerm).join(' ');
}

function formatTerm({kind, value, isNot}: FilterTerm): string {
	const key = termKeys.find(one => one.kind === kind)?.short;
	const start = key === undefined ? '' : key === '#' ? '#' : `${key}:`;
	return `${isNot ? '!' : ''}${start}${quoted(value)}`;
}
