import {allOf} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasItem = (state: KeyState): Enabled =>
	(state.sessionId ?? state.computerId) !== undefined || 'No session or computer is selected';

const isAsking = allOf(
	hasItem,
	({isAsking, sessionId}) =>
		isAsking === true || `This ${sessionId === undefined ? 'computer' : 'session'} doesn't need you now`,
);

const inLists = ['sessions', 'stream', 'computers', 'computer', 'inbox'] as const;

/** Keys for sessions and computers that need the user: acknowledge, snooze, and list them all. */
export const attentionBindings = [
	{
		action: 'acknowledge',
		keys: ['m'],
		title: 'Acknowledge until it asks again, or undo it',
		hint: 'acknowledge',
		hintNow: ({mark}: KeyState) => (mark === 'acknowledged' ? 'needs you again' : undefined),
		contexts: inLists,
		isEnabled: isAsking,
	},
	{
		action: 'snooze',
		keys: ['z'],
		title: 'Snooze: 15 minutes, an hour or until tomorrow; or undo it',
		hint: 'snooze',
		hintNow: ({mark}: KeyState) => (mark === 'snoozed' ? 'end the snooze' : undefined),
		contexts: inLists,
		isEnabled: isAsking,
	},
	{
		action: 'inbox',
		keys: ['I'],
		title: 'Inbox: everything that needs you, including acknowledged and snoozed',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events', 'organization'],
	},
	{
		action: 'away',
		keys: [],
		title: 'While you were away: what has happened since your last long pause',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization', 'composer'],
	},
	{
		action: 'inbox-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		contexts: ['inbox'],
		isEnabled: hasItem,
		isMotion: true,
	},
	{
		action: 'snooze-chosen',
		keys: ['enter'],
		title: 'Snooze',
		hint: 'snooze',
		contexts: ['snooze'],
		isMotion: true,
	},
] as const;
