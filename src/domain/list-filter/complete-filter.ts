import {
	asksForPast,
	type Filterable,
	isMatch,
	isWords,
	parseFilter,
	quoted,
	scanFilter,
	stateWords,
	type TermKind,
	termKeys,
	termKind,
} from './filter.ts';

/** A row that a filter can show; those that are past only if the filter asks for them. */
export type FilterRow = {readonly row: Filterable; readonly isPast?: boolean | undefined};

/**
 * A completion for a filter: the resulting text, its label in the list, and a note: a description, or the number
 * of rows that the resulting filter shows.
 */
export type FilterChoice = {readonly text: string; readonly label: string; readonly note: string};

const maxCompletions = 50;

/**
 * Completions for the term at the end of a filter; between terms, the available term kinds. `showsPast`: past rows
 * are shown even if the filter doesn't ask for them. `columns`: as of `parseFilter`.
 */
export function completeFilter(
	text: string,
	rows: readonly FilterRow[],
	showsPast = false,
	columns: readonly string[] = [],
): FilterChoice[] {
	const last = scanFilter(text).at(-1);
	const token = last?.end === text.length && (last.isOpen || !/\s$/.test(text)) ? last : undefined;
	const start = text.slice(0, token?.start ?? text.length);
	const not = token?.isNot ? '!' : '';
	if (!token || (token.key === undefined && token.value === '')) {
		const kinds = termKeys.map(({short, title}) => {
			const key = short === '#' ? short : `${short}:`;
			return {text: start + not + key, label: key, note: title};
		});
		return token?.isNot ? kinds : [...kinds, {text: `${start}!`, label: '!', note: 'not: before any term'}];
	}
	const {key} = token;
	const kind = key === undefined ? undefined : termKind(key, columns);
	if (key === undefined || kind === undefined) return [];
	const listed = kind === 'state' ? token.value.lastIndexOf(',') + 1 : 0;
	const typed = text.slice(token.start, token.valueStart + listed);
	const value = token.value.slice(listed).toLowerCase();
	const otherStates = [...new Set(rows.flatMap(({row}) => row.states))];
	const before = parseFilter(start, otherStates, columns);
	const matching = rows.filter(({row}) => isMatch(before, row));
	const choices = valuesOf(kind, key, matching)
		.filter(word => {
			const lower = word.toLowerCase();
			const isPart = ['computer', 'folder', 'column'].includes(kind);
			return lower !== value && (isPart ? lower.includes(value) : lower.startsWith(value));
		})
		.slice(0, maxCompletions)
		.map(word => {
			const completed = `${start}${typed}${quoted(word)} `;
			const {terms} = parseFilter(completed, otherStates, columns);
			const includesPast = showsPast || asksForPast({terms});
			const added = {terms: terms.slice(-1)};
			const shown = matching.filter(({row, isPast}) => (includesPast || !isPast) && isMatch(added, row));
			return {text: completed, label: typed + quoted(word), count: shown.length};
		})
		.filter(({count}) => count > 0);
	if (kind !== 'state' && kind !== 'is') choices.sort((a, b) => b.count - a.count);
	return choices.map(({count, ...choice}) => ({...choice, note: String(count)}));
}

/** States that the lists name otherwise; they can be typed. */
const otherNames: readonly string[] = ['waiting', 'active'];

/** The values in the rows, each in one spelling: states in their usual order, others by how many rows have them. */
function valuesOf(kind: TermKind, key: string, rows: readonly FilterRow[]): readonly string[] {
	const found = Map.groupBy(
		rows.flatMap(({row}) => wordsOf(kind, key, row)),
		word => word.toLowerCase(),
	);
	if (kind === 'is') return isWords.filter(word => found.has(word));
	if (kind === 'state') {
		const others = [...found.keys()].filter(word => !stateWords.some(known => known === word));
		return [...stateWords.filter(word => found.has(word) && !otherNames.includes(word)), ...others];
	}
	return [...found]
		.sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
		.flatMap(([, [word = '']]) => word);
}

function wordsOf(kind: TermKind, key: string, row: Filterable): readonly string[] {
	switch (kind) {
		case 'state':
			return row.states;
		case 'tag':
			return row.tags ?? [];
		case 'is':
			return row.is ?? [];
		case 'word':
			return [];
		default:
			return [(kind === 'column' ? row.column?.(key) : row[kind]) ?? ''].filter(Boolean);
	}
}
