import {hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

/** Keys of the Work view's lists and their filter. */
export const listBindings = [
	{keys: ['enter'], action: 'open', title: 'Open the selected item', contexts: ['lists'], hint: 'open'},
	{
		keys: ['A'],
		action: 'show-archived',
		title: 'Show or hide archived and ended sessions',
		contexts: ['lists'],
	},
	{keys: ['w'], action: 'needs-only', title: 'Show only what needs you, or all', contexts: ['lists']},
	{
		keys: ['/'],
		action: 'filter',
		title: 'Filter the lists: words, s:waiting, c:gpu-1, #tag, !not',
		contexts: ['lists'],
		hint: 'filter',
	},
	{
		keys: ['a'],
		action: 'add',
		title: 'Add a computer or session by its id',
		contexts: ['lists', 'computer-table'],
		isEnabled: hasService,
		hint: 'add',
	},
	{
		keys: ['D'],
		action: 'forget',
		title: 'Forget it here (it stays on the service)',
		contexts: ['lists', 'computer', 'computer-table'],
		isEnabled: (facts: KeyState): Enabled =>
			facts.sessionId !== undefined || facts.computerId !== undefined || 'Nothing is selected',
	},
	{
		keys: ['tab'],
		action: 'complete-filter',
		title: 'Complete the term',
		contexts: ['filter'],
		hint: 'complete',
		isMotion: true,
	},
	{
		keys: ['enter'],
		action: 'keep-filter',
		title: 'Keep the filter',
		contexts: ['filter'],
		hint: 'keep',
		isMotion: true,
	},
	{
		keys: ['escape'],
		action: 'clear-filter',
		title: 'Clear the filter',
		contexts: ['filter'],
		hint: 'clear',
		isMotion: true,
		isWayOut: true,
	},
] as const;
