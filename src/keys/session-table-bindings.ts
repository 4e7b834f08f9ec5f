import {allOf, hasService, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const inTable = {contexts: ['session-table']} as const;

const hasTarget = ({targets}: KeyState): Enabled => {
	if ((targets?.count ?? 0) > 0) return true;
	return targets?.marked
		? 'None of the marked sessions is left: {back} takes the marks off'
		: 'No session is selected';
};

const someAsk = (state: KeyState): Enabled =>
	(state.targets?.asking ?? 0) > 0 || 'None of these sessions needs you now';

const someAtService = (state: KeyState): Enabled =>
	(state.targets?.atService ?? 0) > 0 ||
	'Outside the service: it has nothing to change, and nobody to write to';

/** Keys of the Sessions view. An action is for the marked sessions, or else for the one at the cursor. */
export const sessionTableBindings = [
	{
		...inTable,
		action: 'message-sessions',
		keys: ['space'],
		title: 'Write one message to the marked sessions',
		hint: 'message',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		...inTable,
		action: 'mark-session',
		keys: ['v'],
		title: 'Mark the session, or unmark it',
		hint: 'mark',
		isEnabled: hasSession,
	},
	{
		...inTable,
		action: 'mark-all-sessions',
		keys: ['V'],
		title: 'Mark all sessions shown, or none of them',
		isEnabled: hasSession,
	},
	{
		...inTable,
		action: 'tag-sessions',
		keys: ['t'],
		title: 'Tag the marked sessions: add and remove tags',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		...inTable,
		action: 'acknowledge-sessions',
		keys: ['m'],
		title: 'Acknowledge the marked sessions, or undo it',
		isEnabled: allOf(hasTarget, someAsk),
	},
	{
		...inTable,
		action: 'archive-sessions',
		keys: ['X'],
		title: 'Archive the marked sessions, or show them here again',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		...inTable,
		action: 'order-sessions',
		keys: ['o'],
		title: 'Sort sessions by the next column',
		hint: 'order',
	},
	{...inTable, action: 'reverse-sessions', keys: ['O'], title: 'Reverse the order of sessions'},
	{
		...inTable,
		action: 'filter-sessions',
		keys: ['/'],
		title: 'Filter sessions: words, s:waiting, c:gpu-1, #tag, !not',
		hint: 'filter',
	},
] as const;
