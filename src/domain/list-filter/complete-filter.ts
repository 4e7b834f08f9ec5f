import {isWords, quoted, scanFilter, stateWords, termKeys} from './filter.ts';

/** Filter values present in the rows, with row counts. */
export type FilterWords = {
	readonly states: ReadonlyMap<string, number>;
	readonly computers: ReadonlyMap<string, number>;
	readonly tags: ReadonlyMap<string, number>;
	readonly models: ReadonlyMap<string, number>;
	readonly folders: ReadonlyMap<string, number>;
};

/**
 * A completion for a filter: the resulting text, its label in the list, and a note (a description or row
 * count).
 */
export type FilterChoice = {readonly text: string; readonly label: string; readonly note: string};

const maxCompletions = 50;

/** Completions for the term at the end of a filter; between terms, the available term kinds. */
export function completeFilter(text: string, words: FilterWords): FilterChoice[] {
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
	const kind = termKeys.find(({short, long}) => token.key === short || token.key === long)?.kind;
	if (kind === undefined) return [];
	const typed = text.slice(token.start, token.valueStart);
	const value = token.value.toLowerCase();
	return choicesOf(kind, words)
		.filter(([word]) =>
			kind === 'computer' || kind === 'folder' ? word.includes(value) : word.startsWith(value),
		)
		.filter(([word]) => word !== value)
		.slice(0, maxCompletions)
		.map(([word, count]) => ({
			text: `${start}${typed}${quoted(word)} `,
			label: typed + quoted(word),
			note: count === undefined ? '' : String(count),
		}));
}

function choicesOf(
	kind: (typeof termKeys)[number]['kind'],
	words: FilterWords,
): (readonly [string, number | undefined])[] {
	if (kind === 'is') return isWords.map(word => [word, undefined] as const);
	if (kind === 'state') {
		const others = [...words.states.keys()].filter(word => !stateWords.some(known => known === word));
		return [...stateWords, ...others].flatMap(word => {
			const count = words.states.get(word);
			return count === undefined ? [] : [[word, count] as const];
		});
	}
	const source = {computer: words.computers, tag: words.tags, model: words.models, folder: words.folders}[
		kind
	];
	return [...source].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
