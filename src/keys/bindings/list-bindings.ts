import {hasService, unlessEmpty} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

/** Keys of the Work view's lists and their filter. */
export const listBindings = [
	...bindingsIn({contexts: ['lists', 'session-table']}, [
		{
			action: 'open',
			keys: ['enter'],
			title: 'Open the selected item',
			hint: 'open',
			hintNow: ({sessionId, computerId}: KeyState) =>
				(sessionId ?? computerId) === undefined ? '' : undefined,
		},
		{action: 'show-archived', keys: ['A'], title: 'Show or hide archived and ended sessions'},
	]),
	...bindingsIn({contexts: ['lists']}, [
		{action: 'needs-only', keys: ['w'], title: 'Show only what needs you, or all'},
		{
			action: 'filter',
			keys: ['/'],
			title: 'Filter the lists: words, s:waiting, c:gpu-1, #tag, !not',
			hint: 'filter',
			...unlessEmpty,
		},
	]),
	{
		action: 'add',
		keys: ['a'],
		title: 'Add a computer or session by its id',
		hint: 'add',
		isEnabled: hasService,
		contexts: ['lists', 'session-table', 'computer-table'],
	},
	{
		action: 'forget',
		keys: ['D'],
		title: 'Forget it here (it stays on the service)',
		isEnabled: ({sessionId, computerId}: KeyState): Enabled =>
			(sessionId ?? computerId) !== undefined || 'Nothing is selected',
		contexts: ['lists', 'session-table', 'computer', 'computer-table'],
	},
	{
		action: 'hooks',
		keys: ['H'],
		title: 'Hooks for the agents on this machine: show, install or uninstall',
		contexts: ['lists', 'session-table', 'computer-table', 'events'],
	},
	...bindingsIn({contexts: ['filter'], isPaletteHidden: true}, [
		{action: 'complete-filter', keys: ['tab'], title: 'Complete the term', hint: 'complete'},
		{action: 'keep-filter', keys: ['enter'], title: 'Keep the filter', hint: 'keep'},
		{action: 'clear-filter', keys: ['escape'], title: 'Clear the filter', hint: 'clear', isWayOut: true},
	]),
] as const;
