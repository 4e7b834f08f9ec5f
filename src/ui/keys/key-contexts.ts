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
	/** The shared keys that move its list; `pages` also moves by a page. Letters do so unless it takes text. */
	readonly list?: 'rows' | 'pages';
	/** What Escape does, in a word; absent if the dialog has a key of its own for that. */
	readonly wayOut?: 'Cancel' | 'Close';
};

/** The key context of each dialog, by its kind. Its shared keys (`src/ui/dialogs/dialog-bindings.ts`) follow from this. */
export const dialogContexts = {
	form: {title: 'Forms', takesText: true},
	confirm: {title: 'Questions', wayOut: 'Cancel'},
	quit: {title: 'Quitting while agents work', wayOut: 'Cancel'},
	'new-session': {title: 'New session', takesText: true},
	palette: {title: 'Palette', takesText: true, list: 'pages', wayOut: 'Close'},
	search: {title: 'Search', takesText: true, list: 'pages', wayOut: 'Close'},
	help: {title: 'Help', takesText: true, list: 'pages', wayOut: 'Close'},
	history: {title: 'History search', takesText: true},
	answer: {title: 'Agent requests', list: 'pages', wayOut: 'Close'},
	attachments: {title: 'Attachments'},
	away: {title: 'While you were away', list: 'pages', wayOut: 'Close'},
	blocks: {title: 'Blocks', list: 'rows', wayOut: 'Close'},
	diff: {title: 'Changes', list: 'pages', wayOut: 'Close'},
	columns: {title: 'Columns', list: 'rows', wayOut: 'Close'},
	links: {title: 'Links', list: 'rows', wayOut: 'Close'},
	details: {title: 'Details', list: 'pages', wayOut: 'Close'},
	hooks: {title: 'Hooks', list: 'pages', wayOut: 'Close'},
	inbox: {title: 'Inbox', list: 'pages', wayOut: 'Close'},
	snooze: {title: 'Snooze', list: 'rows', wayOut: 'Cancel'},
	profiles: {title: 'Profiles', list: 'rows', wayOut: 'Close'},
	themes: {title: 'Themes', list: 'rows'},
} as const satisfies Record<string, DialogInfo>;

const contexts = {
	everywhere: {title: 'Everywhere'},
	lists: {title: 'Lists'},
	sessions: {title: 'Sessions in Work'},
	heading: {title: 'A collapsed group', isOverlay: true},
	computers: {title: 'Computers in Work'},
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
