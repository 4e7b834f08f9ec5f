import {hasService} from '../enabled.ts';
import type {ContextInfo} from '../key-contexts.ts';
import type {KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

type DialogInfo = Omit<ContextInfo, 'isTransient' | 'isOverlay'> & {
	/** The shared keys that move its list; `pages` also moves by a page. Letters do so unless it takes text. */
	readonly list?: 'rows' | 'pages';
	/** What Escape does, in a word; absent if the dialog has a key of its own for that. */
	readonly wayOut?: 'Cancel' | 'Close';
};

/** For keys that the footer offers only while there are changes to see. */
const ifChanged = {
	hintNow: ({hasChanges}: KeyState): string | undefined => (hasChanges ? undefined : ''),
} as const;

/** The key context of each dialog, by its kind. Its shared keys below follow from this. */
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

const notInPalette = {isPaletteHidden: true} as const;
const listDown = {...notInPalette, action: 'list-down', title: 'Down'} as const;
const listUp = {...notInPalette, action: 'list-up', title: 'Up'} as const;
const pageDown = {...notInPalette, action: 'list-page-down', title: 'A page down'} as const;
const pageUp = {...notInPalette, action: 'list-page-up', title: 'A page up'} as const;
const cancel = {...notInPalette, action: 'cancel', keys: ['escape'], isWayOut: true} as const;

const needsOtherFields = ({hasOtherFields}: KeyState) =>
	hasOtherFields !== false || 'This form has only one field';

const isAnswerable = ({isQuestionEarly}: KeyState) =>
	!isQuestionEarly || 'The question has just appeared: its keys count in a moment';

/** Keys of forms, confirmations and other dialogs. */
export const dialogBindings = [
	...bindingsIn({contexts: ['form'], isPaletteHidden: true}, [
		{
			action: 'next-field',
			keys: ['tab', 'down'],
			title: 'Next field',
			hint: 'next field',
			isEnabled: needsOtherFields,
		},
		{
			action: 'previous-field',
			keys: ['shift+tab', 'up'],
			title: 'Previous field',
			hint: 'back',
			isEnabled: needsOtherFields,
		},
		{
			action: 'submit',
			keys: ['enter'],
			title: 'Submit, or go to the missing field',
			hint: 'submit',
			hintNow: ({submitWord}: KeyState) => submitWord,
		},
		{action: 'submit-now', keys: ['ctrl+s'], title: 'Submit'},
	]),
	...bindingsIn({contexts: ['confirm'], isPaletteHidden: true, isEnabled: isAnswerable}, [
		{action: 'confirm', keys: ['y', 'enter'], title: 'Yes', hint: 'yes', isWayOut: true},
		{action: 'refuse', keys: ['n'], title: 'No', hint: 'no'},
	]),
	...bindingsIn({contexts: ['quit'], isPaletteHidden: true}, [
		{
			action: 'leave-running',
			keys: ['enter'],
			title: 'Quit; the agents go on',
			hint: 'leave running',
			isWayOut: true,
		},
		{action: 'end-agents', keys: ['e'], title: 'Quit, and end the agents', hint: 'end them'},
	]),
	{
		action: 'choose',
		keys: ['enter'],
		title: 'Run or open',
		hint: 'choose',
		contexts: ['palette'],
		isPaletteHidden: true,
	},
	...bindingsIn({contexts: [...typedLists, 'filter']}, [
		{...listDown, keys: ['down', 'ctrl+n']},
		{...listUp, keys: ['up', 'ctrl+p']},
	]),
	...bindingsIn({contexts: letterLists}, [
		{...listDown, keys: ['down', 'j']},
		{...listUp, keys: ['up', 'k']},
	]),
	{...pageDown, keys: ['pagedown', 'ctrl+d'], contexts: [...typedPages, ...letterPages]},
	{...pageUp, keys: ['pageup'], contexts: typedPages},
	{...pageUp, keys: ['pageup', 'ctrl+u'], contexts: letterPages},
	...bindingsIn({contexts: searched, isPaletteHidden: true}, [
		{action: 'erase', keys: ['backspace'], title: 'Delete the previous character'},
		{action: 'erase-word', keys: ['ctrl+w', 'alt+backspace'], title: 'Delete the previous word'},
		{action: 'erase-all', keys: ['ctrl+u'], title: 'Delete everything typed'},
	]),
	...bindingsIn({contexts: ['profiles']}, [
		{
			action: 'open-profile',
			keys: ['enter'],
			title: 'Open the profile; drafts and queued messages stay with the current one',
			hint: 'open',
			isEnabled: ({profile}: KeyState) => profile?.canOpen ?? true,
			isPaletteHidden: true,
		},
		{
			action: 'edit-profile',
			keys: ['e'],
			title: 'Change the address, key source or name of the profile',
			hint: 'edit',
			isEnabled: ({profile}: KeyState) => profile?.canEdit ?? true,
		},
		{
			action: 'replace-key',
			keys: ['K'],
			title: 'Replace the key of the profile, if it is stored in a file',
			hint: 'replace key',
			isEnabled: ({canReplaceKey}: KeyState) => canReplaceKey,
		},
		{
			action: 'remove-profile',
			keys: ['x'],
			title: "Remove the profile; its account's data stays",
			hint: 'remove',
			isEnabled: ({profile}: KeyState) => profile?.canRemove ?? true,
		},
		{
			action: 'default-profile',
			keys: ['d'],
			title: 'Make the profile the default: the next start opens it',
			hint: 'default',
			isEnabled: ({profile}: KeyState) => profile?.canBeDefault ?? true,
		},
		{
			action: 'connect-another',
			keys: ['c', 'n'],
			title: 'Connect to another service as a new profile',
			hint: 'connect another',
		},
	]),
	{
		action: 'away-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		contexts: ['away'],
		isPaletteHidden: true,
	},
	{
		action: 'keep-theme',
		keys: ['enter'],
		title: 'Keep the theme',
		hint: 'keep',
		contexts: ['themes'],
		isPaletteHidden: true,
	},
	...bindingsIn({contexts: ['answer'], isPaletteHidden: true}, [
		// The dialog names the keys that answer, once they count; the footer doesn't.
		{action: 'answer-once', keys: ['y'], title: 'Allow it once'},
		{action: 'answer-always', keys: ['a'], title: 'Allow it from now on, as the request says'},
		{
			action: 'answer-other',
			keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
			title: 'Choose an answer that the request or question lists, by its number',
		},
		{action: 'answer-mark', keys: ['space'], title: 'Mark an answer of a question that takes several'},
		{action: 'answer-back', keys: ['backspace'], title: 'The previous question of the request'},
		{action: 'answer-no', keys: ['n'], title: 'Deny it'},
		{
			action: 'answer-words',
			keys: ['tab'],
			title: 'Write to the agent along with the answer, or stop writing',
			hint: 'write',
			hintNow: ({isAnswerWritten}: KeyState) => (isAnswerWritten ? 'done writing' : undefined),
			isEnabled: ({isRequestClosed}: KeyState) =>
				!isRequestClosed || "You can't add words to this request now",
		},
		{
			action: 'answer-question',
			keys: ['enter'],
			title: 'Send the answer to a question; for a permission, stop writing',
		},
		{action: 'answer-next', keys: [']'], title: 'The next open request of the session'},
		{action: 'answer-previous', keys: ['['], title: 'The previous open request of the session'},
	]),
	...bindingsIn({contexts: ['diff'], isPaletteHidden: true}, [
		{action: 'top', keys: ['home', 'g'], title: 'To the top'},
		{action: 'bottom', keys: ['end', 'G'], title: 'To the end'},
		{action: 'next-file', keys: ['tab', ']'], title: 'Next file', hint: 'next file', ...ifChanged},
		{action: 'previous-file', keys: ['shift+tab', '['], title: 'Previous file'},
		{action: 'scroll-left', keys: ['left', 'h'], title: 'Scroll to the left'},
		{action: 'scroll-right', keys: ['right', 'l'], title: 'Scroll to the right, for long lines'},
		{action: 'find', keys: ['/'], title: 'Find words in the changes', hint: 'find', ...ifChanged},
		{
			action: 'since-base',
			keys: ['b'],
			title: 'Everything since the base branch, or only what is uncommitted',
			hint: 'since the base branch',
			hintNow: ({isSinceBase, hasRepository}: KeyState) => {
				if (hasRepository === false) return '';
				return isSinceBase ? 'uncommitted changes' : undefined;
			},
		},
		{action: 'find-next', keys: ['n'], title: 'Next match'},
		{action: 'find-previous', keys: ['N'], title: 'Previous match'},
		{action: 'copy', keys: ['y'], title: "Copy the file's changes", hint: 'copy file', ...ifChanged},
		{action: 'copy-all', keys: ['Y'], title: 'Copy all changes'},
		{
			action: 'commit-changes',
			keys: ['c'],
			title: 'Commit all changes, with a message',
			hint: 'commit',
			hintNow: ({hasChanges, isSinceBase}: KeyState) => (hasChanges && !isSinceBase ? undefined : ''),
		},
		{action: 'pull-request', keys: ['p'], title: 'Push the branch and open a pull request with gh'},
		{action: 'refresh', keys: ['r'], title: 'Read the folder again', hint: 'refresh'},
	]),
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Refresh the session from the service',
		hint: 'refresh',
		contexts: ['details'],
		isPaletteHidden: true,
		isEnabled: hasService,
	},
	...bindingsIn({contexts: ['hooks'], isPaletteHidden: true}, [
		{
			action: 'hooks-apply',
			keys: ['enter'],
			title: 'Make the change that is shown',
			hint: 'change the files',
			isEnabled: ({hasHookChange}: KeyState) => hasHookChange === true || 'There is nothing to change',
		},
		{
			action: 'hooks-other',
			keys: ['u'],
			title: 'Show what uninstalling changes, or installing',
			hint: 'install or uninstall',
		},
		{
			action: 'hooks-dismiss',
			keys: ['x'],
			title: "Don't show again that hooks are missing",
			hint: "don't show again",
		},
	]),
	// Last, because the footer keeps this order and main actions come before the way out.
	{
		...cancel,
		title: 'Cancel; a form that creates something keeps the text for next time',
		hint: 'cancel',
		hintNow: ({keepsForm}: KeyState) => (keepsForm ? 'close, keep text' : undefined),
		contexts: ['form'],
	},
	{...cancel, title: 'Cancel', hint: 'cancel', contexts: dialogsWhere(({wayOut}) => wayOut === 'Cancel')},
	{...cancel, title: 'Close', hint: 'close', contexts: dialogsWhere(({wayOut}) => wayOut === 'Close')},
] as const;
