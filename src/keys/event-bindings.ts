import type {Enabled, KeyState} from './key-state.ts';

const hasEvent = (facts: KeyState): Enabled => facts.isEventSelected || 'No event is selected';

/** The log of hook events. */
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
		title: 'Filter the events by client, event, session, folder, words or delivery',
		contexts: ['events'],
		hint: 'filter',
	},
	{
		keys: ['f'],
		action: 'event-session-only',
		title: "Only the events of this one's session, or all",
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
		title: 'Acknowledge what happened to saved data: it is not shown any more',
		contexts: ['events'],
		isEnabled: (facts: KeyState): Enabled => facts.hasIncidents || 'Nothing has happened to saved data',
	},
] as const;
