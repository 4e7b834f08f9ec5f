import type {KeyContext} from './facts.ts';

type Place = {
	/** In words, for the help and the README. */
	readonly title: string;
	/** What is typed there is text: a key that is a character can do nothing else. */
	readonly takesText?: boolean;
	/** Lies over the place it belongs to: its keys go before that one's, and nobody calls it a conflict. */
	readonly isOver?: boolean;
	/** Comes and goes over a view: a dialog, or a line that is typed into. */
	readonly isPassing?: boolean;
};

/** Every place where keys go. */
export const places: Readonly<Record<KeyContext, Place>> = {
	everywhere: {title: 'Everywhere'},
	lists: {title: 'Lists'},
	sessions: {title: 'Sessions'},
	computers: {title: 'Computers'},
	stream: {title: 'Stream'},
	find: {title: 'Finding', isPassing: true, takesText: true},
	found: {title: 'Found', isPassing: true, isOver: true},
	marking: {title: 'Marking', isPassing: true, isOver: true},
	search: {title: 'Search', isPassing: true, takesText: true},
	blocks: {title: 'Blocks', isPassing: true},
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
	suggestions: {title: 'Suggestions', isPassing: true, takesText: true, isOver: true},
	history: {title: 'History search', isPassing: true, takesText: true},
	attachments: {title: 'Attachments', isPassing: true},
	welcome: {title: 'First screen'},
	filter: {title: 'Filter', isPassing: true, takesText: true},
	form: {title: 'Forms', isPassing: true, takesText: true},
	confirm: {title: 'Questions', isPassing: true},
	profiles: {title: 'Profiles', isPassing: true},
	themes: {title: 'Themes', isPassing: true},
	help: {title: 'Help', isPassing: true, takesText: true},
	details: {title: 'Details', isPassing: true},
	inbox: {title: 'Inbox', isPassing: true},
	snooze: {title: 'Snooze', isPassing: true},
	palette: {title: 'Palette', isPassing: true, takesText: true},
};

/** Places that hold at once, none over the other: what is a key in one is the same key in the others. */
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

/** Does a key of the one place mean the other's, too? */
export function isSamePlace(one: KeyContext, other: KeyContext): boolean {
	return one === other || together.some(group => group.includes(one) && group.includes(other));
}
