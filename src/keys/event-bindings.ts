import type {Enabled, KeyState} from './key-state.ts';

const hasEvent = (facts: KeyState): Enabled => facts.isEventSelected || 'No event is selected';

/** Keys of the hook event log. */
export const eventBindings = [
	{
		keys: ['enter'],
		action: 'open-event-session',
		title: 'Open the session of the event',
		contexts: ['events'],
		hint: 'open session',
		isEnabled: hasEvent,
	},
	{
		keys: ['/'],
		action: 'filter-events',
		title: 'Filter events by client, event, session, folder, words or delivery',
		contexts: ['events'],
		hint: 'filter',
	},
	{
		keys: ['f'],
		action: 'event-session-only',
		title: "Only this session's events, or all",
		contexts: ['events'],
		hint: 'this session',
		isEnabled: hasEvent,
	},
	{
		keys: ['y'],
		action: 'copy-event',
		title: 'Copy the event as JSON',
		contexts: ['events'],
		hint: 'copy',
		isEnabled: hasEvent,
	},
	{
		keys: ['A'],
		action: 'acknowledge-incidents',
		title: 'Acknowledge warnings about saved data',
		contexts: ['events'],
		isEnabled: (facts: KeyState): Enabled => facts.hasIncidents || 'There are no warnings about saved data',
	},
] as const;
