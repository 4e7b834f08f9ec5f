import {hasFound, hasMessage, hasSession} from './enabled.ts';

/**
 * Keys for reading a session: finding, copying, marking. Search results and marks come first, so that their
 * keys take precedence while active.
 */
export const streamBindings = [
	{
		keys: ['y', 'enter'],
		action: 'copy-marked',
		title: 'Copy the selected rows',
		contexts: ['marking'],
		hint: 'copy rows',
	},
	{
		keys: ['escape', 'v'],
		action: 'end-mark',
		title: 'Stop selecting',
		contexts: ['marking'],
		hint: 'stop selecting',
		isWayOut: true,
	},
	{
		keys: ['n'],
		action: 'find-next',
		title: 'Next match',
		contexts: ['found'],
		hint: 'next',
		isEnabled: hasFound,
	},
	{
		keys: ['N'],
		action: 'find-previous',
		title: 'Previous match',
		contexts: ['found'],
		hint: 'previous',
		isEnabled: hasFound,
	},
	{
		keys: ['escape'],
		action: 'clear-find',
		title: 'Close the search',
		contexts: ['found', 'find'],
		hint: 'close search',
		isWayOut: true,
	},
	{
		keys: ['enter'],
		action: 'keep-find',
		title: 'Keep reading at the match; {find-next} and {find-previous} go through all',
		contexts: ['find'],
		hint: 'keep',
		isMotion: true,
	},
	{keys: ['down', 'ctrl+n'], action: 'find-next', title: 'Next match', contexts: ['find']},
	{keys: ['up', 'ctrl+p'], action: 'find-previous', title: 'Previous match', contexts: ['find']},
	{
		keys: ['/'],
		action: 'find',
		title: 'Find words in the whole session',
		contexts: ['stream'],
		hint: 'find',
		isEnabled: hasSession,
	},
	{
		keys: ['S'],
		action: 'search',
		title: 'Search all sessions',
		contexts: ['lists', 'stream', 'computer', 'events'],
	},
	{
		keys: ['enter'],
		action: 'search-open',
		title: 'Go to the message',
		contexts: ['search'],
		hint: 'go to message',
		isMotion: true,
	},
	{
		keys: ['Y'],
		action: 'copy-block',
		title: 'Copy a code block, command or output from the message',
		contexts: ['stream'],
		isEnabled: hasMessage,
	},
	{
		keys: ['enter', 'y'],
		action: 'copy-chosen',
		title: 'Copy it',
		contexts: ['blocks'],
		hint: 'copy',
		isMotion: true,
	},
	{
		keys: ['o'],
		action: 'read-in-pager',
		title: 'Open the whole message in $PAGER',
		contexts: ['stream'],
		isEnabled: hasMessage,
	},
	{
		keys: ['v'],
		action: 'mark',
		title: 'Select rows: move, then {copy-marked} copies them',
		contexts: ['stream'],
		isEnabled: hasMessage,
	},
	{
		keys: ['H'],
		action: 'show-hidden',
		title: 'Show or hide hidden messages',
		contexts: ['stream'],
	},
] as const;
