import type {KeyContext} from './key-state.ts';

type ContextInfo = {
	/** Title for the help and the README. */
	readonly title: string;
	/** Accepts text: keys that are characters can only insert text. */
	readonly takesText?: boolean;
	/** Lies over its parent context and takes precedence over it; shared keys are not a conflict. */
	readonly isOverlay?: boolean;
	/** Opens temporarily over a view: a dialog or an input line. */
	readonly isTransient?: boolean;
};

/** All key contexts. */
export const keyContexts: Readonly<Record<KeyContext, ContextInfo>> = {
	everywhere: {title: 'Everywhere'},
	lists: {title: 'Lists'},
	sessions: {title: 'Sessions'},
	computers: {title: 'Computers'},
	stream: {title: 'Stream'},
	find: {title: 'Finding', isTransient: true, takesText: true},
	found: {title: 'Found', isTransient: true, isOverlay: true},
	marking: {title: 'Marking', isTransient: true, isOverlay: true},
	search: {title: 'Search', isTransient: true, takesText: true},
	blocks: {title: 'Blocks', isTransient: true},
	computer: {title: 'Computer'},
	'computer-table': {title: 'Computers view'},
	events: {title: 'Events'},
	organization: {title: 'Usage, readiness, controls, users'},
	pages: {title: 'Lists of the organization'},
	opening: {title: 'People, readiness, controls'},
	report: {title: 'A readiness report'},
	controls: {title: 'Controls'},
	usage: {title: 'Usage'},
	people: {title: 'People'},
	users: {title: 'Users'},
	composer: {title: 'Composer', takesText: true},
	suggestions: {title: 'Suggestions', isTransient: true, takesText: true, isOverlay: true},
	history: {title: 'History search', isTransient: true, takesText: true},
	attachments: {title: 'Attachments', isTransient: true},
	welcome: {title: 'First screen'},
	filter: {title: 'Filter', isTransient: true, takesText: true},
	form: {title: 'Forms', isTransient: true, takesText: true},
	confirm: {title: 'Questions', isTransient: true},
	profiles: {title: 'Profiles', isTransient: true},
	themes: {title: 'Themes', isTransient: true},
	help: {title: 'Help', isTransient: true, takesText: true},
	details: {title: 'Details', isTransient: true},
	inbox: {title: 'Inbox', isTransient: true},
	snooze: {title: 'Snooze', isTransient: true},
	palette: {title: 'Palette', isTransient: true, takesText: true},
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
	['controls', 'opening', 'pages', 'organization'],
];

/** Whether a key in one context also applies in the other. */
export function isSameContext(one: KeyContext, other: KeyContext): boolean {
	return one === other || together.some(group => group.includes(one) && group.includes(other));
}
