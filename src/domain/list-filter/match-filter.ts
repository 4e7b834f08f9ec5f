import type {Filter, FilterTerm, IsWord, StateWord} from './parse-filter.ts';

/** What a filter can look at in one row. All texts are in lower case. */
export type Filterable = {
	/** Everything that names it. */
	readonly text: string;
	/** Its states, the particular and the general ones; a word of the service that we don't know as it came. */
	readonly states: readonly (StateWord | (string & {}))[];
	readonly computer?: string;
	readonly tags?: readonly string[];
	readonly model?: string;
	readonly folder?: string;
	readonly is?: readonly IsWord[];
};

/** Does a row meet every term? */
export function isMatch({terms}: Pick<Filter, 'terms'>, row: Filterable): boolean {
	return terms.every(term => holds(term, row) !== term.isNot);
}

/** Do the terms ask for what is out of sight otherwise: what is archived, or has ended? */
export function asksForPast({terms}: Pick<Filter, 'terms'>): boolean {
	return terms.some(
		({kind, value, isNot}) =>
			!isNot &&
			((kind === 'is' && 'archived'.startsWith(value)) ||
				(kind === 'state' && value.length > 1 && 'ended'.startsWith(value))),
	);
}

function holds({kind, value}: FilterTerm, row: Filterable): boolean {
	switch (kind) {
		case 'word':
			return row.text.includes(value);
		case 'state':
			return row.states.some(state => state.startsWith(value));
		case 'is':
			return row.is?.some(word => word.startsWith(value)) ?? false;
		case 'tag':
			return row.tags?.some(tag => tag.startsWith(value)) ?? false;
		case 'computer':
		case 'model':
		case 'folder':
			return row[kind]?.includes(value) ?? false;
	}
}
