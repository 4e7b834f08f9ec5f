import {firstReason, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const isAsking = (facts: KeyState): Enabled =>
	firstReason(hasSession(facts), facts.isAsking === true || "This session doesn't need you now");

/** Keys for sessions that need the user: acknowledge, snooze, and list them all. */
export const attentionBindings = [
	{
		keys: ['m'],
		action: 'acknowledge',
		title: 'Acknowledge until it asks again; or undo that',
		contexts: ['sessions', 'stream', 'inbox'],
		hint: 'acknowledge',
		isEnabled: isAsking,
	},
	{
		keys: ['z'],
		action: 'snooze',
		title: 'Snooze: 15 minutes, an hour or until tomorrow; or undo that',
		contexts: ['sessions', 'stream', 'inbox'],
		hint: 'snooze',
		isEnabled: isAsking,
	},
	{
		keys: ['I'],
		action: 'inbox',
		title: 'Inbox: everything that needs you, including acknowledged and snoozed',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization'],
	},
	{
		keys: ['enter'],
		action: 'inbox-open',
		title: 'Open the session',
		contexts: ['inbox'],
		hint: 'open',
		isEnabled: hasSession,
		isMotion: true,
	},
	{
		keys: ['enter'],
		action: 'snooze-chosen',
		title: 'Snooze',
		contexts: ['snooze'],
		hint: 'snooze',
		isMotion: true,
	},
] as const;
