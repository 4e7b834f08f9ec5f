import {allOf, needsUser} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasItem = (state: KeyState): Enabled =>
	(state.sessionId ?? state.computerId) !== undefined || 'No session or computer is selected';

const isAsking = allOf(hasItem, ({isAsking, isRead, sessionId}) => {
	if (isAsking) return true;
	if (isRead) return "You have read it, so it doesn't need you any more";
	return `This ${sessionId === undefined ? 'computer' : 'session'} doesn't need you now`;
});

const inLists = ['sessions', 'stream', 'computers', 'computer', 'inbox'] as const;

/** Keys for sessions and computers that need the user: acknowledge, snooze, and list them all. */
export const attentionBindings = [
	...bindingsIn({contexts: inLists, isEnabled: isAsking}, [
		{
			action: 'acknowledge',
			keys: ['m'],
			title: 'Acknowledge until there is news, or undo it',
			hint: 'acknowledge',
			hintNow: ({mark}: KeyState) => (mark === 'acknowledged' ? 'needs you again' : undefined),
			isFirst: needsUser,
		},
		{
			action: 'snooze',
			keys: ['z'],
			title: 'Snooze: 15 minutes, an hour or until tomorrow; or undo it',
			hint: 'snooze',
			hintNow: ({mark}: KeyState) => (mark === 'snoozed' ? 'end the snooze' : undefined),
			// In a stream, the way back has the room.
			isFirst: (state, contexts) => needsUser(state) && contexts.includes('lists') && 'then',
		},
	]),
	{
		action: 'inbox',
		keys: ['I'],
		title: 'Inbox: everything that needs you, including acknowledged and snoozed',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events', 'organization'],
	},
	{
		action: 'away',
		keys: [],
		title: 'While you were away: what happened during your last long pause',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization', 'composer'],
	},
	{
		action: 'inbox-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		isEnabled: hasItem,
		contexts: ['inbox'],
		isPaletteHidden: true,
	},
	{
		action: 'snooze-chosen',
		keys: ['enter'],
		title: 'Snooze',
		hint: 'snooze',
		contexts: ['snooze'],
		isPaletteHidden: true,
	},
] as const;
