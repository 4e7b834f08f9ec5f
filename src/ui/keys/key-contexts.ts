export type ContextInfo = {
	readonly title: string;
	/** Accepts text: keys that are characters can only insert text. */
	readonly takesText?: boolean;
	/** Lies over its parent context and takes precedence over it; shared keys are not a conflict. */
	readonly isOverlay?: boolean;
	/** Opens temporarily over a view: a dialog or an input line. */
	readonly isTransient?: boolean;
};

type DialogInfo = Omit<ContextInfo, 'isTransient' | 'isOverlay'> & {
	/** The shared keys move its list. Letters do so unless it takes text. */
	readonly list?: true;
	/** What Escape does, in a word; absent if the dialog has a key of its own for that. */
	readonly wayOut?: 'Cancel' | 'Close';
};

/** The key context of each dialog, by its kind. Its shared keys (`src/ui/dialogs/dialog-bindings.ts`) follow from this. */
const dialogContexts = {
	form: {title: 'Forms', takesText: true},
	confirm: {title: 'Questions', wayOut: 'Cancel'},
	quit: {title: 'Quitting while agents work', wayOut: 'Cancel'},
	'new-session': {title: 'New session', takesText: true},
	palette: {title: 'Palette', takesText: true, list: true, wayOut: 'Close'},
	search: {title: 'Search', takesText: true, list: true, wayOut: 'Close'},
	help: {title: 'Help', takesText: true, list: true, wayOut: 'Close'},
	history: {title: 'History search', takesText: true},
	answer: {title: 'Agent requests', list: true, wayOut: 'Close'},
	attachments: {title: 'Attachments'},
	away: {title: 'While you were away', list: true, wayOut: 'Close'},
	blocks: {title: 'Blocks', list: true, wayOut: 'Close'},
	diff: {title: 'Changes (diff)', list: true, wayOut: 'Close'},
	columns: {title: 'Columns', list: true, wayOut: 'Close'},
	links: {title: 'Links', list: true, wayOut: 'Close'},
	details: {title: 'Details', list: true, wayOut: 'Close'},
	hooks: {title: 'Hooks', list: true, wayOut: 'Close'},
	inbox: {title: 'Inbox', list: true, wayOut: 'Close'},
	snooze: {title: 'Snooze', list: true, wayOut: 'Cancel'},
	profiles: {title: 'Profiles', list: true, wayOut: 'Close'},
	themes: {title: 'Themes', list: true},
} as const satisfies Record<string, DialogInfo>;

const contexts = {
	everywhere: {title: 'Everywhere'},
	lists: {title: 'Lists'},
	sessions: {title: 'Sessions in Work'},
	heading: {title: 'A collapsed group', isOverlay: true},
	computers: {title: 'Computers in Work'},
	stream: {title: 'An open session'},
	find: {title: 'Finding', isTransient: true, takesText: true},
	found: {title: 'Found', isTransient: true, isOverlay: true},
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
	prompts: {title: 'Prompts and commands', isTransient: true, takesText: true, isOverlay: true},
	folders: {title: 'Folders', isTransient: true, takesText: true, isOverlay: true},
	comment: {title: 'A comment on changes', isTransient: true, takesText: true},
	suggestions: {title: 'Suggestions', isTransient: true, takesText: true, isOverlay: true},
	welcome: {title: 'First screen'},
	filter: {title: 'Filter', isTransient: true, takesText: true},
	...dialogContexts,
} as const satisfies Record<string, ContextInfo>;

/** A context for keys. Several are active at once: a cursor in Computers activates both `computers` and `lists`. */
export type KeyContext = keyof typeof contexts;

export type DialogContext = keyof typeof dialogContexts;

/** Contexts in which keys move through a view. */
export const inViews = [
	'lists',
	'stream',
	'session-table',
	'computer',
	'computer-table',
	'events',
	'organization',
] as const satisfies readonly KeyContext[];

export const inViewsAndWelcome = [...inViews, 'welcome'] as const;

export function dialogsWhere(isWanted: (info: DialogInfo) => boolean): readonly DialogContext[] {
	const names = Object.keys(dialogContexts) as DialogContext[];
	return names.filter(name => isWanted(dialogContexts[name]));
}

/** Every dialog opens temporarily over a view. */
const dialogs = Object.entries(dialogContexts).map(([name, info]) => [name, {...info, isTransient: true}]);

export const keyContexts: Readonly<Record<KeyContext, ContextInfo>> = {
	...contexts,
	...Object.fromEntries(dialogs),
};

/** Its title in the middle of a sentence. */
export function placeOf(context: KeyContext): string {
	return keyContexts[context].title.replace(/^An? /, article => article.toLowerCase());
}

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
