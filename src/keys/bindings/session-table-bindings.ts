import {allOf, hasService, hasSession, unlessEmpty} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasTarget = ({targets}: KeyState): Enabled => {
	if ((targets?.count ?? 0) > 0) return true;
	return targets?.marked
		? 'None of the marked sessions exists any more: {back} clears the marks'
		: 'No session is selected';
};

const someAsk = (state: KeyState): Enabled =>
	(state.targets?.asking ?? 0) > 0 || 'None of these sessions needs you now';

const someAtService = (state: KeyState): Enabled =>
	(state.targets?.atService ?? 0) > 0 ||
	"These sessions run outside the service, which can't change them or write to them";

/** Keys of the Sessions view. An action applies to the marked sessions, or else to the one at the cursor. */
export const sessionTableBindings = bindingsIn({contexts: ['session-table']}, [
	{
		action: 'message-sessions',
		keys: ['space'],
		title: 'Write one message to the marked sessions',
		hint: 'message',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		action: 'mark-session',
		keys: ['v'],
		title: 'Mark the session, or unmark it, and go to the next',
		hint: 'mark',
		hintNow: ({targets}: KeyState) =>
			`${targets?.isMarked ? 'unmark' : 'mark'}${targets?.isLast ? '' : ', next'}`,
		isEnabled: hasSession,
	},
	{
		action: 'mark-all-sessions',
		keys: ['V'],
		title: 'Mark all sessions shown, or none of them',
		isEnabled: hasSession,
	},
	{
		action: 'tag-sessions',
		keys: ['t'],
		title: 'Tag the marked sessions: add and remove tags',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		action: 'acknowledge-sessions',
		keys: ['m'],
		title: 'Acknowledge the marked sessions, or undo it',
		isEnabled: allOf(hasTarget, someAsk),
	},
	{
		action: 'archive-sessions',
		keys: ['X'],
		title: 'Archive the marked sessions, or show them here again',
		isEnabled: allOf(hasTarget, hasService, someAtService),
	},
	{
		action: 'order-sessions',
		keys: ['o'],
		title: 'Sort sessions by the next column',
		hint: 'order',
		...unlessEmpty,
	},
	{action: 'reverse-sessions', keys: ['O'], title: 'Reverse the order of sessions'},
	{
		action: 'filter-sessions',
		keys: ['/'],
		title: 'Filter sessions: words, s:waiting, c:gpu-1, #tag, !not',
		hint: 'filter',
		...unlessEmpty,
	},
]);
