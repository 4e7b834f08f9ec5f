import {backTo, hasFound, hasMessage, hasSession} from '../enabled.ts';
import {bindingsIn} from './binding.ts';

/**
 * Keys for reading a session: finding, copying, marking. Search results and marks come first, so that their
 * keys take precedence while active.
 */
export const streamBindings = [
	...bindingsIn({contexts: ['marking']}, [
		{action: 'copy-marked', keys: ['y', 'enter'], title: 'Copy the selected rows', hint: 'copy rows'},
		{
			action: 'end-mark',
			keys: ['escape', 'v'],
			title: 'Stop selecting',
			hint: 'stop selecting',
			isWayOut: true,
		},
	]),
	...bindingsIn({contexts: ['found'], isEnabled: hasFound}, [
		{action: 'find-next', keys: ['n'], title: 'Next match', hint: 'next'},
		{action: 'find-previous', keys: ['N'], title: 'Previous match', hint: 'previous'},
	]),
	{
		action: 'clear-find',
		keys: ['escape'],
		title: 'Close the search',
		hint: 'close search',
		isWayOut: true,
		contexts: ['found', 'find'],
	},
	...bindingsIn({contexts: ['find']}, [
		{
			action: 'keep-find',
			keys: ['enter'],
			title: 'Stay at the match; {find-next} and {find-previous} go to the others',
			hint: 'keep',
			isPaletteHidden: true,
		},
		{action: 'find-next', keys: ['down', 'ctrl+n'], title: 'Next match'},
		{action: 'find-previous', keys: ['up', 'ctrl+p'], title: 'Previous match'},
	]),
	...bindingsIn({contexts: ['stream']}, [
		{
			action: 'back',
			keys: ['escape'],
			title: 'Back to the lists, or to the view where it was opened',
			hintNow: state => backTo(state, 'sessions') ?? 'sessions',
		},
		{
			action: 'find',
			keys: ['/'],
			title: 'Find words in the whole session',
			hint: 'find',
			isEnabled: hasSession,
		},
	]),
	{
		action: 'search',
		keys: ['F'],
		title: 'Search all sessions',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'events'],
	},
	...bindingsIn({contexts: ['stream'], isEnabled: hasMessage}, [
		{action: 'copy-block', keys: ['Y'], title: 'Copy a code block, command or output from the message'},
		{action: 'links', keys: ['L'], title: 'Links in the message: open or copy one'},
	]),
	...bindingsIn({contexts: ['links']}, [
		{action: 'open-link', keys: ['enter', 'o'], title: 'Open it', hint: 'open', isPaletteHidden: true},
		{action: 'copy-link', keys: ['y'], title: 'Copy it', hint: 'copy'},
	]),
	...bindingsIn({contexts: ['stream'], isEnabled: hasMessage}, [
		{
			action: 'read-in-pager',
			keys: ['o'],
			title: 'Open the whole message in $PAGER',
			hint: 'pager',
			hintNow: state => (state.isMessageTall ? 'pager' : ''),
		},
		{action: 'mark', keys: ['v'], title: 'Select rows: move, then {copy-marked} copies them'},
	]),
	{
		action: 'show-hidden',
		keys: ['H'],
		title: 'Show or hide hidden messages',
		contexts: ['stream'],
	},
	{
		action: 'search-open',
		keys: ['enter'],
		title: 'Go to the message',
		hint: 'go to message',
		contexts: ['search'],
		isPaletteHidden: true,
	},
	{
		action: 'copy-chosen',
		keys: ['enter', 'y'],
		title: 'Copy it',
		hint: 'copy',
		contexts: ['blocks'],
		isPaletteHidden: true,
	},
] as const;
