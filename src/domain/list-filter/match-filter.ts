import type {Filter, FilterTerm, IsWord, StateWord} from './parse-filter.ts';

/** The filterable facts of one row. All text is lower case. */
export type Filterable = {
	/** All text that identifies the row. */
	readonly text: string;
	/** Its specific and general states; an unknown service state is included verbatim. */
	readonly states: readonly (StateWord | (string & {}))[];
	readonly computer?: string;
	readonly tags?: readonly string[];
	readonly model?: string;
	readonly folder?: string;
	readonly is?: readonly IsWord[];
};

/** Whether a row matches every term. */
export function isMatch({terms}: Pick<Filter, 'terms'>, row: Filterable): boolean {
	return terms.every(term => holds(term, row) !== term.isNot);
}

/** Whether the terms ask for rows that are hidden by default: archived or ended ones. */
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
