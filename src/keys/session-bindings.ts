import {firstReason, hasMessage, hasService, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const isUnsettled = (facts: KeyState): Enabled =>
	facts.isUnsettled || 'Only for your failed or unconfirmed messages';

const canTakeBack = (facts: KeyState): Enabled =>
	facts.canTakeBack || 'Only for your queued, failed or unconfirmed messages';

const isAtService = (facts: KeyState): Enabled =>
	!facts.isOutside || 'This session is known only from hook events: the service has nothing to change';

/** Keys for a session and the message at its cursor. */
export const sessionBindings = [
	{
		keys: ['space'],
		action: 'reply',
		title: 'Reply to the session; from a list, without opening it',
		contexts: ['sessions', 'stream', 'inbox'],
		hint: 'reply',
		isEnabled: hasSession,
	},
	{
		keys: ['p'],
		action: 'pin',
		title: 'Pin the session to the top of its group, or unpin it',
		contexts: ['sessions', 'stream'],
		isEnabled: hasSession,
	},
	{
		keys: ['e'],
		action: 'rename-session',
		title: 'Rename the session on this machine',
		contexts: ['sessions'],
		isEnabled: hasSession,
	},
	{
		keys: ['o'],
		action: 'sort-sessions',
		title: 'Sort sessions: by attention, last activity, name, computer',
		contexts: ['sessions'],
	},
	{
		keys: ['enter'],
		action: 'compose',
		title: 'Write a message',
		contexts: ['stream'],
		hint: 'write',
		isEnabled: hasSession,
	},
	{
		keys: ['n'],
		action: 'new-session',
		title: 'New session',
		contexts: ['sessions', 'stream'],
		hint: 'new session',
		isEnabled: hasService,
	},
	{
		keys: ['e'],
		action: 'expand',
		title: 'Expand or collapse the message',
		contexts: ['stream'],
		hint: 'expand',
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(hasMessage(facts), facts.canCollapse || 'Nothing in this message is collapsed'),
	},
	{
		keys: ['y'],
		action: 'copy',
		title: 'Copy the message',
		contexts: ['stream'],
		hint: 'copy',
		isEnabled: hasMessage,
	},
	{
		keys: ['R'],
		action: 'resend',
		title: 'Send an unconfirmed or failed message again',
		contexts: ['stream'],
		isEnabled: isUnsettled,
	},
	{
		keys: ['x'],
		action: 'discard',
		title: 'Take a queued, unconfirmed or failed message back into the composer',
		contexts: ['stream'],
		isEnabled: canTakeBack,
	},
	{
		keys: ['i'],
		action: 'details',
		title: 'Session details: settings, tokens, sources and ages',
		contexts: ['sessions', 'stream'],
		isEnabled: hasSession,
	},
	{
		keys: ['E'],
		action: 'edit-session',
		title: 'Edit the session: local name, models, tags, tools',
		contexts: ['sessions', 'stream'],
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(hasSession(facts), hasService(facts), isAtService(facts)),
	},
	{
		keys: ['X'],
		action: 'archive',
		title: 'Archive the session, or bring it back here',
		contexts: ['sessions', 'stream'],
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(hasSession(facts), hasService(facts), isAtService(facts)),
	},
] as const;
