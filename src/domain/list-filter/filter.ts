/** What a term matches. `word` matches any text that identifies a row, and its tags. */
export type TermKind = 'word' | 'state' | 'computer' | 'tag' | 'model' | 'folder' | 'is' | 'column';

/** One condition of a filter. The value is in lower case; of states, it may be several with commas. */
export type FilterTerm = {
	readonly kind: TermKind;
	readonly value: string;
	readonly isNot: boolean;
	/** The name of the column, if `kind` is that. */
	readonly column?: string;
};

/** An error in a range of the filter text (UTF-16 code units), with a message that says what to type instead. */
export type FilterProblem = {readonly start: number; readonly end: number; readonly what: string};

/** A parsed filter; rows must match every term. A term with a problem is left out until it is fixed. */
export type Filter = {readonly terms: readonly FilterTerm[]; readonly problems: readonly FilterProblem[]};

/** The prefixes of each term kind: short form, long form and description. */
export const termKeys = [
	{short: 's', long: 'state', kind: 'state', title: 'state; s:asks,failed is either'},
	{short: 'c', long: 'computer', kind: 'computer', title: 'computer'},
	{short: '#', long: 'tag', kind: 'tag', title: 'tag'},
	{short: 'm', long: 'model', kind: 'model', title: 'model'},
	{short: 'f', long: 'folder', kind: 'folder', title: 'folder'},
	{short: 'is', long: 'is', kind: 'is', title: 'pinned, archived, local'},
] as const satisfies readonly {short: string; long: string; kind: TermKind; title: string}[];

/** The kind of a term by its prefix: one of those above, or the name of a column. */
export function termKind(key: string, columns: readonly string[]): TermKind | undefined {
	const known = termKeys.find(({short, long}) => key === short || key === long)?.kind;
	return known ?? (columns.includes(key) ? 'column' : undefined);
}

/** State names of sessions and computers as shown on screen; `waiting` covers everything that needs the user. */
export const stateWords = [
	'waiting',
	'asks',
	'failed',
	'done',
	'unsent',
	'unconfirmed',
	'acknowledged',
	'snoozed',
	'working',
	'idle',
	'ended',
	'?',
	'active',
	'provisioning',
] as const;
type StateWord = (typeof stateWords)[number];

export const isWords = ['pinned', 'archived', 'local'] as const;
export type IsWord = (typeof isWords)[number];

/**
 * Parses a filter, which may be incomplete. `otherStates` are unknown service states present in the rows,
 * lower case; `columns` the names of the rows' columns that are terms, too.
 */
export function parseFilter(
	text: string,
	otherStates: readonly string[] = [],
	columns: readonly string[] = [],
): Filter {
	const terms: FilterTerm[] = [];
	const problems: FilterProblem[] = [];
	for (const token of scanFilter(text)) {
		const read = readTerm(token, otherStates, columns);
		if (typeof read === 'string') problems.push({start: token.start, end: token.end, what: read});
		else if (read) terms.push(read);
	}
	return {terms, problems};
}

/** Parses a token: a term, or an error message if invalid, or undefined while its value is still missing. */
function readTerm(
	token: FilterToken,
	otherStates: readonly string[],
	columns: readonly string[],
): FilterTerm | string | undefined {
	const {key, isNot} = token;
	const value = token.value.toLowerCase();
	const kind = key === undefined ? 'word' : termKind(key, columns);
	if (kind === undefined)
		return `${key}: is no term: ${keyList}, or a column such as title:; ${quoted(`${key}:${token.value}`)} looks for the words`;
	if (value === '') return undefined;
	const wrong = statesOf(value).find(state => !isPrefixOf(state, [...stateWords, ...otherStates]));
	if (kind === 'state' && wrong !== undefined)
		return `no state begins with ${wrong}: ${stateWords.join(', ')}`;
	if (kind === 'is' && !isPrefixOf(value, isWords)) return `is: takes ${isWords.join(', ')}`;
	return {kind, value, isNot, column: kind === 'column' ? key : undefined};
}

const keyList = termKeys.map(({short}) => (short === '#' ? '#tag' : `${short}:`)).join(' ');

function statesOf(value: string): readonly string[] {
	return value.split(',').filter(state => state !== '');
}

function isPrefixOf(value: string, words: readonly string[]): boolean {
	return words.some(word => word.startsWith(value));
}

/** Formats terms as filter text that parses back to the same terms. */
export function formatFilter(terms: readonly FilterTerm[]): string {
	return terms.map(formatTerm).join(' ');
}

function formatTerm({kind, value, isNot, column}: FilterTerm): string {
	const key = column ?? termKeys.find(one => one.kind === kind)?.short;
	const start = key === undefined ? '' : key === '#' ? '#' : `${key}:`;
	return `${isNot ? '!' : ''}${start}${quoted(value)}`;
}

/** One term as typed, with its position in the text (UTF-16 code units). */
export type FilterToken = {
	readonly start: number;
	readonly end: number;
	readonly isNot: boolean;
	/** The prefix as typed: `s` in `s:idle`, `#` for a tag; absent for a plain word. */
	readonly key?: string;
	/** The value without quotes and escapes. */
	readonly value: string;
	readonly valueStart: number;
	/** Whether a quote is still open at the end. */
	readonly isOpen: boolean;
};

const isSpace = (char: string | undefined) => char !== undefined && /\s/.test(char);

/**
 * Splits a filter at spaces. `"` delimits a part that may contain spaces, `\` escapes the next character, and
 * each `!` before a term negates it.
 */
export function scanFilter(text: string): FilterToken[] {
	const tokens: FilterToken[] = [];
	let at = 0;
	while (at < text.length) {
		if (isSpace(text[at])) {
			at++;
			continue;
		}
		const token = scanToken(text, at);
		tokens.push(token);
		at = token.end;
	}
	return tokens;
}

function scanToken(text: string, start: number): FilterToken {
	let at = start;
	while (text[at] === '!') at++;
	const isNot = (at - start) % 2 === 1;
	const key = /^(?:#|[a-z_]+:)/i.exec(text.slice(at, at + 20))?.[0];
	if (key !== undefined) at += key.length;
	const valueStart = at;
	let value = '';
	let isOpen = false;
	for (; at < text.length && (isOpen || !isSpace(text[at])); at++) {
		if (text[at] === '"') isOpen = !isOpen;
		else {
			if (text[at] === '\\' && at + 1 < text.length) at++;
			value += text[at];
		}
	}
	const name = key?.replace(/:$/, '').toLowerCase();
	return {start, end: at, isNot, key: name, value, valueStart, isOpen};
}

/** Quotes a value if it would not scan as one plain word. */
export function quoted(value: string): string {
	const isPlain = value !== '' && !/[\s"\\]/.test(value) && !/^[!#]|^[a-z_]+:/i.test(value);
	return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The filterable facts of one row. */
export type Filterable = {
	/** All text of the row that words find, in lower case; they find its tags, too. */
	readonly text: string;
	/** Its specific and general states, in lower case; an unknown service state is included. */
	readonly states: readonly (StateWord | (string & {}))[];
	readonly computer?: string;
	readonly tags?: readonly string[];
	readonly model?: string;
	readonly folder?: string;
	readonly is?: readonly IsWord[];
	readonly column?: (name: string) => string | undefined;
};

export function isMatch({terms}: Pick<Filter, 'terms'>, row: Filterable): boolean {
	return terms.every(term => matchesTerm(term, row) !== term.isNot);
}

/** Whether the terms ask for rows that are hidden by default: archived or ended ones. */
export function asksForPast({terms}: Pick<Filter, 'terms'>): boolean {
	return terms.some(
		({kind, value, isNot}) =>
			!isNot &&
			((kind === 'is' && 'archived'.startsWith(value)) ||
				(kind === 'state' && statesOf(value).some(state => state.length > 1 && 'ended'.startsWith(state)))),
	);
}

function matchesTerm({kind, value, column = ''}: FilterTerm, row: Filterable): boolean {
	switch (kind) {
		case 'word':
			return row.text.includes(value) || (row.tags?.some(tag => tag.toLowerCase().includes(value)) ?? false);
		case 'state':
			return statesOf(value).some(wanted => row.states.some(state => state.startsWith(wanted)));
		case 'is':
			return row.is?.some(word => word.startsWith(value)) ?? false;
		case 'tag':
			return row.tags?.some(tag => tag.toLowerCase().startsWith(value)) ?? false;
		case 'column':
			return row.column?.(column)?.toLowerCase().includes(value) ?? false;
		case 'computer':
		case 'model':
		case 'folder':
			return row[kind]?.toLowerCase().includes(value) ?? false;
	}
}
