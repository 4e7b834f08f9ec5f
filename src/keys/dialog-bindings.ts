import type {ContextInfo} from './key-contexts.ts';

type DialogInfo = Omit<ContextInfo, 'isTransient' | 'isOverlay'> & {
	/** The shared keys that move its list; `pages` also moves by a page. Letters do so unless it takes text. */
	readonly list?: 'rows' | 'pages';
	/** What Escape does, in a word; absent if the dialog has a key of its own for that. */
	readonly wayOut?: 'Cancel' | 'Close';
};

/** The key context of each dialog, by its kind. Its shared keys below follow from this. */
export const dialogContexts = {
	form: {title: 'Forms', takesText: true, wayOut: 'Cancel'},
	confirm: {title: 'Questions', wayOut: 'Cancel'},
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
	links: {title: 'Links', list: 'rows', wayOut: 'Close'},
	details: {title: 'Details', list: 'pages', wayOut: 'Close'},
	hooks: {title: 'Hooks', list: 'pages', wayOut: 'Close'},
	inbox: {title: 'Inbox', list: 'pages', wayOut: 'Close'},
	snooze: {title: 'Snooze', list: 'rows', wayOut: 'Cancel'},
	profiles: {title: 'Profiles', list: 'rows', wayOut: 'Close'},
	themes: {title: 'Themes', list: 'rows', wayOut: 'Cancel'},
} as const satisfies Record<string, DialogInfo>;

type DialogContext = keyof typeof dialogContexts;

function dialogsWhere(isWanted: (info: DialogInfo) => boolean): readonly DialogContext[] {
	const names = Object.keys(dialogContexts) as DialogContext[];
	return names.filter(name => isWanted(dialogContexts[name]));
}

const typedLists = dialogsWhere(({takesText, list}) => takesText === true && list !== undefined);
const typedPages = dialogsWhere(({takesText, list}) => takesText === true && list === 'pages');
const letterLists = dialogsWhere(({takesText, list}) => !takesText && list !== undefined);
const letterPages = dialogsWhere(({takesText, list}) => !takesText && list === 'pages');
/** Contexts with a search field. */
const searched = ['filter', 'find', 'history', ...typedLists] as const;

const motion = {isMotion: true} as const;
const listDown = {...motion, action: 'list-down', title: 'Down'} as const;
const listUp = {...motion, action: 'list-up', title: 'Up'} as const;
const pageDown = {...motion, action: 'list-page-down', title: 'A page down'} as const;
const pageUp = {...motion, action: 'list-page-up', title: 'A page up'} as const;
const cancel = {...motion, action: 'cancel', keys: ['escape'], isWayOut: true} as const;

/** Keys of forms, confirmations and other dialogs. */
export const dialogBindings = [
	{
		...motion,
		action: 'next-field',
		keys: ['tab', 'down'],
		title: 'Next field',
		contexts: ['form'],
		hint: 'next field',
	},
	{
		...motion,
		action: 'previous-field',
		keys: ['shift+tab', 'up'],
		title: 'Previous field',
		contexts: ['form'],
	},
	{
		...motion,
		action: 'submit',
		keys: ['enter'],
		title: 'Submit; if something is missing, go there',
		contexts: ['form'],
		hint: 'submit',
	},
	{
		...motion,
		action: 'submit-now',
		keys: ['ctrl+s'],
		title: 'Submit',
		contexts: ['form'],
	},
	{
		...motion,
		action: 'confirm',
		keys: ['y', 'enter'],
		title: 'Yes',
		contexts: ['confirm'],
		hint: 'yes',
		isWayOut: true,
	},
	{...motion, action: 'refuse', keys: ['n'], title: 'No', contexts: ['confirm'], hint: 'no'},
	{
		...motion,
		action: 'choose',
		keys: ['enter'],
		title: 'Run or open',
		contexts: ['palette'],
		hint: 'choose',
	},
	{...listDown, keys: ['down', 'ctrl+n'], contexts: [...typedLists, 'filter']},
	{...listUp, keys: ['up', 'ctrl+p'], contexts: [...typedLists, 'filter']},
	{...listDown, keys: ['down', 'j'], contexts: letterLists},
	{...listUp, keys: ['up', 'k'], contexts: letterLists},
	{...pageDown, keys: ['pagedown', 'ctrl+d'], contexts: [...typedPages, ...letterPages]},
	{...pageUp, keys: ['pageup'], contexts: typedPages},
	{...pageUp, keys: ['pageup', 'ctrl+u'], contexts: letterPages},
	{
		...motion,
		action: 'erase',
		keys: ['backspace'],
		title: 'Delete the previous character',
		contexts: searched,
	},
	{
		...motion,
		action: 'erase-word',
		keys: ['ctrl+w', 'alt+backspace'],
		title: 'Delete the previous word',
		contexts: searched,
	},
	{...motion, action: 'erase-all', keys: ['ctrl+u'], title: 'Delete everything typed', contexts: searched},
	{
		...motion,
		action: 'open-profile',
		keys: ['enter'],
		title: 'Open the profile; drafts and queued messages stay with the current one',
		contexts: ['profiles'],
		hint: 'open',
	},
	{
		action: 'connect-another',
		keys: ['n'],
		title: 'Connect to another service as a new profile',
		contexts: ['profiles'],
		hint: 'connect another',
	},
	{
		action: 'replace-key',
		keys: ['K'],
		title: 'Replace the key of the profile',
		contexts: ['profiles'],
		hint: 'replace key',
	},
	{
		...motion,
		action: 'away-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		contexts: ['away'],
		hint: 'open',
	},
	{
		...motion,
		action: 'keep-theme',
		keys: ['enter'],
		title: 'Keep the theme',
		contexts: ['themes'],
		hint: 'keep',
	},
	{
		...motion,
		action: 'answer-once',
		keys: ['y'],
		title: 'Allow it once',
		contexts: ['answer'],
		hint: 'allow once',
	},
	{
		...motion,
		action: 'answer-always',
		keys: ['a'],
		title: 'Allow it from now on, if the agent offers that',
		contexts: ['answer'],
	},
	{...motion, action: 'answer-no', keys: ['n'], title: 'Deny it', contexts: ['answer'], hint: 'deny'},
	{
		...motion,
		action: 'answer-words',
		keys: ['tab'],
		title: 'Write to the agent along with the answer, or stop writing',
		contexts: ['answer'],
		hint: 'write',
	},
	{
		...motion,
		action: 'answer-question',
		keys: ['enter'],
		title: 'Send the answer to a question; for a permission, stop writing',
		contexts: ['answer'],
	},
	{...motion, action: 'top', keys: ['home', 'g'], title: 'To the top', contexts: ['diff']},
	{...motion, action: 'bottom', keys: ['end', 'G'], title: 'To the end', contexts: ['diff']},
	{
		...motion,
		action: 'next-file',
		keys: ['tab', ']'],
		title: 'Next file',
		contexts: ['diff'],
		hint: 'next file',
	},
	{...motion, action: 'previous-file', keys: ['shift+tab', '['], title: 'Previous file', contexts: ['diff']},
	{...motion, action: 'scroll-left', keys: ['left', 'h'], title: 'Scroll to the left', contexts: ['diff']},
	{
		...motion,
		action: 'scroll-right',
		keys: ['right', 'l'],
		title: 'Scroll to the right, for long lines',
		contexts: ['diff'],
	},
	{
		...motion,
		action: 'find',
		keys: ['/'],
		title: 'Find words in the changes',
		contexts: ['diff'],
		hint: 'find',
	},
	{
		...motion,
		action: 'since-base',
		keys: ['b'],
		title: 'Everything since the base branch, or only what is uncommitted',
		contexts: ['diff'],
		hint: 'base',
	},
	{...motion, action: 'find-next', keys: ['n'], title: 'Next match', contexts: ['diff']},
	{...motion, action: 'find-previous', keys: ['N'], title: 'Previous match', contexts: ['diff']},
	{
		...motion,
		action: 'copy',
		keys: ['y'],
		title: "Copy the file's changes",
		contexts: ['diff'],
		hint: 'copy file',
	},
	{...motion, action: 'copy-all', keys: ['Y'], title: 'Copy all changes', contexts: ['diff']},
	{
		...motion,
		action: 'commit-changes',
		keys: ['c'],
		title: 'Commit all changes, with a message',
		contexts: ['diff'],
		hint: 'commit',
	},
	{
		...motion,
		action: 'pull-request',
		keys: ['p'],
		title: 'Push the branch and open a pull request, by gh',
		contexts: ['diff'],
	},
	{
		...motion,
		action: 'refresh',
		keys: ['r'],
		title: 'Read the folder again',
		contexts: ['diff'],
		hint: 'refresh',
	},
	{
		...motion,
		action: 'hooks-apply',
		keys: ['enter'],
		title: 'Make the change that is shown',
		contexts: ['hooks'],
		hint: 'change the files',
	},
	{
		...motion,
		action: 'hooks-other',
		keys: ['u'],
		title: 'Show what uninstalling changes, or installing',
		contexts: ['hooks'],
		hint: 'install or uninstall',
	},
	{
		...motion,
		action: 'hooks-dismiss',
		keys: ['x'],
		title: "Don't say again that hooks are missing",
		contexts: ['hooks'],
		hint: "don't say again",
	},
	// Last, because the footer keeps this order and main actions come before the way out.
	{...cancel, title: 'Cancel', contexts: dialogsWhere(({wayOut}) => wayOut === 'Cancel'), hint: 'cancel'},
	{...cancel, title: 'Close', contexts: dialogsWhere(({wayOut}) => wayOut === 'Close'), hint: 'close'},
] as const;
