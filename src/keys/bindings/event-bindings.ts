import {unlessEmpty} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasEvent = (state: KeyState): Enabled => state.isEventSelected || 'No event is selected';

/** Keys of the hook event log. */
export const eventBindings = bindingsIn({contexts: ['events']}, [
	{
		action: 'open-event-session',
		keys: ['enter'],
		title: 'Open the session of the event',
		hint: 'open session',
		isEnabled: hasEvent,
	},
	{
		action: 'filter-events',
		keys: ['/'],
		title: 'Filter events by client, event, session, folder, words or delivery',
		hint: 'filter',
		...unlessEmpty,
	},
	// A small screen has room for the diagnostics only while they have the focus.
	{action: 'next-pane', keys: ['tab'], title: 'Next pane', hint: 'next pane', isPaletteHidden: true},
	{
		action: 'event-session-only',
		keys: ['f'],
		title: "Show only this session's events, or all",
		hint: 'this session',
		isEnabled: hasEvent,
	},
	{action: 'copy-event', keys: ['y'], title: 'Copy the event as JSON', hint: 'copy', isEnabled: hasEvent},
	{
		action: 'acknowledge-incidents',
		keys: ['A'],
		title: 'Acknowledge warnings about saved data',
		isEnabled: state => state.hasIncidents || 'There are no warnings about saved data',
	},
]);
