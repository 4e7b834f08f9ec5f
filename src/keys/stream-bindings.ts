import {hasFound, hasMessage, hasSession} from './enabled.ts';
import type {KeyState} from './key-state.ts';

const inStream = {contexts: ['stream']} as const;
const onMarked = {contexts: ['marking']} as const;
const onFound = {contexts: ['found']} as const;
const inLinks = {contexts: ['links']} as const;
const inFind = {contexts: ['find']} as const;

/**
 * Keys for reading a session: finding, copying, marking. Search results and marks come first, so that their
 * keys take precedence while active.
 */
export const streamBindings = [
	{
		...onMarked,
		action: 'copy-marked',
		keys: ['y', 'enter'],
		title: 'Copy the selected rows',
		hint: 'copy rows',
	},
	{
		...onMarked,
		action: 'end-mark',
		keys: ['escape', 'v'],
		title: 'Stop selecting',
		hint: 'stop selecting',
		isWayOut: true,
	},
	{...onFound, action: 'find-next', keys: ['n'], title: 'Next match', hint: 'next', isEnabled: hasFound},
	{
		...onFound,
		action: 'find-previous',
		keys: ['N'],
		title: 'Previous match',
		hint: 'previous',
		isEnabled: hasFound,
	},
	{
		action: 'clear-find',
		keys: ['escape'],
		title: 'Close the search',
		hint: 'close search',
		contexts: ['found', 'find'],
		isWayOut: true,
	},
	{
		...inFind,
		action: 'keep-find',
		keys: ['enter'],
		title: 'Stay at the match; {find-next} and {find-previous} go to the others',
		hint: 'keep',
		isMotion: true,
	},
	{...inFind, action: 'find-next', keys: ['down', 'ctrl+n'], title: 'Next match'},
	{...inFind, action: 'find-previous', keys: ['up', 'ctrl+p'], title: 'Previous match'},
	{
		...inStream,
		action: 'find',
		keys: ['/'],
		title: 'Find words in the whole session',
		hint: 'find',
		isEnabled: hasSession,
	},
	{
		...inStream,
		action: 'back',
		keys: ['escape'],
		title: 'Back to the lists',
		hintNow: (state: KeyState) => (state.isListHidden ? 'sessions' : undefined),
	},
	{
		action: 'search',
		keys: ['F'],
		title: 'Search all sessions',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'events'],
	},
	{
		action: 'search-open',
		keys: ['enter'],
		title: 'Go to the message',
		hint: 'go to message',
		contexts: ['search'],
		isMotion: true,
	},
	{
		...inStream,
		action: 'copy-block',
		keys: ['Y'],
		title: 'Copy a code block, command or output from the message',
		isEnabled: hasMessage,
	},
	{
		action: 'copy-chosen',
		keys: ['enter', 'y'],
		title: 'Copy it',
		hint: 'copy',
		contexts: ['blocks'],
		isMotion: true,
	},
	{
		...inStream,
		action: 'links',
		keys: ['L'],
		title: 'Links in the message: open or copy one',
		isEnabled: hasMessage,
	},
	{...inLinks, action: 'open-link', keys: ['enter', 'o'], title: 'Open it', hint: 'open', isMotion: true},
	{...inLinks, action: 'copy-link', keys: ['y'], title: 'Copy it', hint: 'copy'},
	{
		...inStream,
		action: 'read-in-pager',
		keys: ['o'],
		title: 'Open the whole message in $PAGER',
		isEnabled: hasMessage,
	},
	{
		...inStream,
		action: 'mark',
		keys: ['v'],
		title: 'Select rows: move, then {copy-marked} copies them',
		isEnabled: hasMessage,
	},
	{...inStream, action: 'show-hidden', keys: ['H'], title: 'Show or hide hidden messages'},
] as const;
