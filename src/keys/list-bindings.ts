import {hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const inLists = {contexts: ['lists']} as const;
const inListsAndTable = {contexts: ['lists', 'session-table']} as const;
const inFilter = {contexts: ['filter'], isMotion: true} as const;

/** Keys of the Work view's lists and their filter. */
export const listBindings = [
	{...inListsAndTable, action: 'open', keys: ['enter'], title: 'Open the selected item', hint: 'open'},
	{
		...inListsAndTable,
		action: 'show-archived',
		keys: ['A'],
		title: 'Show or hide archived and ended sessions',
	},
	{...inLists, action: 'needs-only', keys: ['w'], title: 'Show only what needs you, or all'},
	{
		...inLists,
		action: 'filter',
		keys: ['/'],
		title: 'Filter the lists: words, s:waiting, c:gpu-1, #tag, !not',
		hint: 'filter',
	},
	{
		action: 'add',
		keys: ['a'],
		title: 'Add a computer or session by its id',
		hint: 'add',
		contexts: ['lists', 'session-table', 'computer-table'],
		isEnabled: hasService,
	},
	{
		action: 'forget',
		keys: ['D'],
		title: 'Forget it here (it stays on the service)',
		contexts: ['lists', 'session-table', 'computer', 'computer-table'],
		isEnabled: (state: KeyState): Enabled =>
			state.sessionId !== undefined || state.computerId !== undefined || 'Nothing is selected',
	},
	{
		action: 'hooks',
		keys: ['H'],
		title: 'Hooks for the agents on this machine: show, install or uninstall',
		contexts: ['lists', 'session-table', 'computer-table', 'events'],
	},
	{...inFilter, action: 'complete-filter', keys: ['tab'], title: 'Complete the term', hint: 'complete'},
	{...inFilter, action: 'keep-filter', keys: ['enter'], title: 'Keep the filter', hint: 'keep'},
	{
		...inFilter,
		action: 'clear-filter',
		keys: ['escape'],
		title: 'Clear the filter',
		hint: 'clear',
		isWayOut: true,
	},
] as const;
