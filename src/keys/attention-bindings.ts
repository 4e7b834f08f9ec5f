import {allOf, hasSession} from './enabled.ts';

const isAsking = allOf(hasSession, state => state.isAsking === true || "This session doesn't need you now");

/** Keys for sessions that need the user: acknowledge, snooze, and list them all. */
export const attentionBindings = [
	{
		action: 'acknowledge',
		keys: ['m'],
		title: 'Acknowledge until it asks again, or undo it',
		hint: 'acknowledge',
		contexts: ['sessions', 'stream', 'inbox'],
		isEnabled: isAsking,
	},
	{
		action: 'snooze',
		keys: ['z'],
		title: 'Snooze: 15 minutes, an hour or until tomorrow; or undo it',
		hint: 'snooze',
		contexts: ['sessions', 'stream', 'inbox'],
		isEnabled: isAsking,
	},
	{
		action: 'inbox',
		keys: ['I'],
		title: 'Inbox: everything that needs you, including acknowledged and snoozed',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization'],
	},
	{
		action: 'inbox-open',
		keys: ['enter'],
		title: 'Open the session',
		hint: 'open',
		contexts: ['inbox'],
		isEnabled: hasSession,
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
