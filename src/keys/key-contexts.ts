import {dialogContexts} from './bindings/dialog-bindings.ts';

export type ContextInfo = {
	/** Title for the help and the README. */
	readonly title: string;
	/** Accepts text: keys that are characters can only insert text. */
	readonly takesText?: boolean;
	/** Lies over its parent context and takes precedence over it; shared keys are not a conflict. */
	readonly isOverlay?: boolean;
	/** Opens temporarily over a view: a dialog or an input line. */
	readonly isTransient?: boolean;
};

const contexts = {
	everywhere: {title: 'Everywhere'},
	lists: {title: 'Lists'},
	sessions: {title: 'Sessions'},
	/** The heading of a collapsed group in the lists. */
	heading: {title: 'A collapsed group', isOverlay: true},
	computers: {title: 'Computers'},
	stream: {title: 'Stream'},
	find: {title: 'Finding', isTransient: true, takesText: true},
	found: {title: 'Found', isTransient: true, isOverlay: true},
	marking: {title: 'Marking', isTransient: true, isOverlay: true},
	computer: {title: 'Computer'},
	'session-table': {title: 'Sessions view'},
	/** Either pane of the Computers view. */
	'computer-table': {title: 'Computers view'},
	events: {title: 'Events'},
	organization: {title: 'Usage, readiness, controls, users'},
	/** Organization pages with a filterable list, and those with rows that open. */
	pages: {title: 'Lists of the organization'},
	opening: {title: 'People, readiness, controls'},
	report: {title: 'A readiness report'},
	readiness: {title: 'Readiness'},
	controls: {title: 'Controls'},
	usage: {title: 'Usage'},
	people: {title: 'People'},
	users: {title: 'Users'},
	composer: {title: 'Composer', takesText: true},
	prompts: {title: 'Saved prompts', isTransient: true, takesText: true, isOverlay: true},
	suggestions: {title: 'Suggestions', isTransient: true, takesText: true, isOverlay: true},
	welcome: {title: 'First screen'},
	filter: {title: 'Filter', isTransient: true, takesText: true},
	...dialogContexts,
} as const satisfies Record<string, ContextInfo>;

/**
 * A context for keys. Several are active at once: a cursor in Computers activates both `computers` and
 * `lists`.
 */
export type KeyContext = keyof typeof contexts;

/** Every dialog opens temporarily over a view. */
const dialogs = Object.entries(dialogContexts).map(([name, info]) => [name, {...info, isTransient: true}]);

/** All key contexts. */
export const keyContexts: Readonly<Record<KeyContext, ContextInfo>> = {
	...contexts,
	...Object.fromEntries(dialogs),
};

/** Contexts active at the same time, without precedence: a key must mean the same in all of them. */
const together: readonly (readonly KeyContext[])[] = [
	['sessions', 'lists'],
	['computers', 'lists'],
	['computers', 'computer-table'],
	['computer', 'computer-table'],
	['people', 'opening', 'pages', 'usage', 'organization'],
	['people', 'opening', 'pages', 'users', 'organization'],
	['report', 'organization'],
	['readiness', 'opening', 'pages', 'organization'],
	['controls', 'opening', 'pages', 'organization'],
];

/** Whether a key in one context also applies in the other. */
export function isSameContext(one: KeyContext, other: KeyContext): boolean {
	return one === other || together.some(group => group.includes(one) && group.includes(other));
}
