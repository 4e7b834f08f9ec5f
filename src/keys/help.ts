import {type Binding, bindings, isEnabled} from './bindings.ts';
import type {KeyContext, KeyFacts} from './facts.ts';
import {keyLabel} from './key-label.ts';

export type HelpEntry = {
	readonly binding: Binding;
	/** Does it act on what has the focus now? */
	readonly isHere: boolean;
	/** Why it does nothing now, if so. */
	readonly reason?: string;
};

/** Where a binding works, in words, for the help and the README. */
export const contextTitles: Readonly<Record<KeyContext, string>> = {
	everywhere: 'Everywhere',
	lists: 'Lists',
	sessions: 'Sessions',
	computers: 'Computers',
	stream: 'Stream',
	find: 'Finding',
	found: 'Found',
	marking: 'Marking',
	search: 'Search',
	blocks: 'Blocks',
	computer: 'Computer',
	events: 'Events',
	organization: 'usage, readiness, controls, users',
	pages: 'lists of those',
	opening: 'people, readiness, controls',
	report: 'a readiness report',
	usage: 'usage',
	people: 'people',
	composer: 'Composer',
	suggestions: 'Suggestions',
	history: 'History search',
	attachments: 'Attachments',
	welcome: 'First screen',
	filter: 'Filter',
	form: 'Forms',
	confirm: 'Questions',
	help: 'Help',
	details: 'Details',
	go: 'Go to',
};

/** Every binding whose keys, title or place hold all the words of `query`; those that work here come first. */
export function helpEntries(query: string, contexts: readonly KeyContext[], facts: KeyFacts): HelpEntry[] {
	const words = query.toLowerCase().split(' ').filter(Boolean);
	const entries = bindings
		.filter(binding => words.every(word => searchable(binding).includes(word)))
		.map(binding => {
			const isHere = binding.contexts.some(context => context === 'everywhere' || contexts.includes(context));
			const enabled = isHere ? isEnabled(binding, facts) : true;
			return {binding, isHere, ...(enabled !== true && {reason: enabled})};
		});
	return [...entries.filter(entry => entry.isHere), ...entries.filter(entry => !entry.isHere)];
}

function searchable(binding: Binding): string {
	const places = binding.contexts.map(context => contextTitles[context]);
	return [...binding.keys, ...binding.keys.map(keyLabel), binding.title, ...places].join(' ').toLowerCase();
}
