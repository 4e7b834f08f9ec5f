import {composerBindings} from './composer-bindings.ts';
import type {Enabled, KeyContext, KeyFacts} from './facts.ts';
import {organizationBindings} from './organization-bindings.ts';
import {streamBindings} from './stream-bindings.ts';

/** A key, what it does and where. Dispatch, footer, help and the README's table all read this one list. */
export type Binding = {
	/** Names as `keyPresses` makes them; the first is the one that is shown. */
	readonly keys: readonly [string, ...string[]];
	readonly action: ActionName;
	readonly title: string;
	readonly contexts: readonly KeyContext[];
	/** Short word for the footer; absent: the footer leaves it out. */
	readonly hint?: string;
	readonly isEnabled?: (facts: KeyFacts) => Enabled;
};

export type ActionName = (typeof table)[number]['action'];

const hasService = (facts: KeyFacts): Enabled =>
	facts.isConnected || 'No service is set up yet: set QUARTERDECK_API_KEY, or start with --local';
const hasSession = (facts: KeyFacts): Enabled => facts.sessionId !== undefined || 'No session is selected';
const hasComputer = (facts: KeyFacts): Enabled => facts.computerId !== undefined || 'No computer is selected';
const hasMessage = (facts: KeyFacts): Enabled => facts.isMessageSelected || 'There is no message here yet';
const isUnsettled = (facts: KeyFacts): Enabled =>
	facts.isUnsettled || 'Only for a message of yours that failed or is unconfirmed';
const canTakeBack = (facts: KeyFacts): Enabled =>
	facts.canTakeBack || 'Only for a message of yours that is queued, failed or unconfirmed';
const isAtService = (facts: KeyFacts): Enabled =>
	!facts.isOutside || 'Only hook events know this session: the service has nothing of it to change';
const hasEvent = (facts: KeyFacts): Enabled => facts.isEventSelected || 'No event is selected';
const someoneNeedsMe = (facts: KeyFacts): Enabled => facts.needsCount > 0 || 'Nothing needs you';

/** The first thing that is in the way. */
const firstReason = (...checks: readonly Enabled[]): Enabled => checks.find(check => check !== true) ?? true;

const table = [
	...streamBindings,
	{keys: ['enter'], action: 'open', title: 'Open what the cursor is on', contexts: ['lists'], hint: 'open'},
	{
		keys: ['space'],
		action: 'reply',
		title: 'Reply: write to the session',
		contexts: ['sessions', 'stream'],
		hint: 'reply',
		isEnabled: hasSession,
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
		isEnabled: facts =>
			firstReason(
				hasService(facts),
				facts.computerCount > 0 ||
					'A session needs a computer: create one with n in Computers, or add one with a',
			),
	},
	{
		keys: ['s'],
		action: 'open-session',
		title: 'New session on this computer',
		contexts: ['computers', 'computer'],
		hint: 'session',
		isEnabled: facts => firstReason(hasService(facts), hasComputer(facts)),
	},
	{
		keys: ['n'],
		action: 'new-computer',
		title: 'New computer',
		contexts: ['computers', 'computer'],
		hint: 'new computer',
		isEnabled: hasService,
	},
	{
		keys: ['R'],
		action: 'retry-install',
		title: 'Run the dependency install again',
		contexts: ['computers', 'computer'],
		hint: 'retry install',
		isEnabled: facts => firstReason(hasComputer(facts), hasService(facts), facts.install),
	},
	{
		keys: ['i'],
		action: 'install-session',
		title: 'Open the output of the install step',
		contexts: ['computers', 'computer'],
		hint: 'install output',
		isEnabled: facts =>
			facts.installSessionId !== undefined || 'This computer names no session for its install step',
	},
	{
		keys: ['e'],
		action: 'edit-computer',
		title: 'Change name, host or user of the computer',
		contexts: ['computers', 'computer'],
		isEnabled: facts => firstReason(hasComputer(facts), hasService(facts)),
	},
	{
		keys: ['e'],
		action: 'expand',
		title: 'Unfold or fold the message',
		contexts: ['stream'],
		hint: 'expand',
		isEnabled: hasMessage,
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
		title: 'Everything known of the session: settings, tokens, sources and ages',
		contexts: ['sessions', 'stream'],
		isEnabled: hasSession,
	},
	{
		keys: ['E'],
		action: 'edit-session',
		title: 'Change name here, models, tags and tools of the session',
		contexts: ['sessions', 'stream'],
		isEnabled: facts => firstReason(hasSession(facts), hasService(facts), isAtService(facts)),
	},
	{
		keys: ['X'],
		action: 'archive',
		title: 'Archive the session; an archived one comes back here',
		contexts: ['sessions', 'stream'],
		isEnabled: facts => firstReason(hasSession(facts), hasService(facts), isAtService(facts)),
	},
	{
		keys: ['A'],
		action: 'show-archived',
		title: 'Show or hide archived sessions, and those that ended on this machine',
		contexts: ['lists'],
	},
	{
		keys: ['j', 'down'],
		action: 'down',
		title: 'Down',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['k', 'up'],
		action: 'up',
		title: 'Up',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['g', 'home'],
		action: 'top',
		title: 'To the top',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['G', 'end'],
		action: 'bottom',
		title: 'To the end; the stream follows again',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['ctrl+d', 'pagedown'],
		action: 'page-down',
		title: 'Half a page down',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['ctrl+u', 'pageup'],
		action: 'page-up',
		title: 'Half a page up',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: [']'],
		action: 'next-needs',
		title: 'Next session that needs you',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
		isEnabled: someoneNeedsMe,
	},
	{
		keys: ['['],
		action: 'previous-needs',
		title: 'Previous session that needs you',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
		isEnabled: someoneNeedsMe,
	},
	{keys: ['w'], action: 'needs-only', title: 'Show only what needs you, or everything', contexts: ['lists']},
	{keys: ['/'], action: 'filter', title: 'Filter the lists by name', contexts: ['lists'], hint: 'filter'},
	{
		keys: ['a'],
		action: 'add',
		title: 'Add a computer or session by its id',
		contexts: ['lists'],
		isEnabled: hasService,
		hint: 'add',
	},
	{
		keys: ['r'],
		action: 'refresh',
		title: 'Ask the service again, now',
		contexts: ['lists', 'stream', 'computer'],
		isEnabled: hasService,
	},
	{
		keys: ['D'],
		action: 'forget',
		title: 'Forget it here (the service keeps it)',
		contexts: ['lists', 'computer'],
		isEnabled: facts =>
			facts.sessionId !== undefined || facts.computerId !== undefined || 'Nothing is selected to forget',
	},
	{
		keys: ['u'],
		action: 'undo',
		title: 'Undo the last forgetting',
		contexts: ['lists', 'stream', 'computer', 'events'],
		isEnabled: facts => facts.canUndo || 'There is nothing to undo',
	},
	{
		keys: ['escape'],
		action: 'back',
		title: 'Back',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['tab'],
		action: 'next-pane',
		title: 'Next pane',
		contexts: ['lists', 'stream', 'computer', 'composer'],
	},
	{
		keys: ['shift+tab'],
		action: 'previous-pane',
		title: 'Previous pane',
		contexts: ['lists', 'stream', 'computer', 'composer'],
	},
	...composerBindings,
	{keys: ['enter'], action: 'keep-filter', title: 'Keep the filter', contexts: ['filter'], hint: 'keep'},
	{
		keys: ['escape'],
		action: 'clear-filter',
		title: 'Show everything again',
		contexts: ['filter'],
		hint: 'clear',
	},
	{keys: ['tab', 'down'], action: 'next-field', title: 'Next field', contexts: ['form'], hint: 'next field'},
	{keys: ['shift+tab', 'up'], action: 'previous-field', title: 'Previous field', contexts: ['form']},
	{
		keys: ['enter'],
		action: 'submit',
		title: 'Next field; in the last one: do it',
		contexts: ['form'],
		hint: 'next, do it',
	},
	{keys: ['ctrl+s'], action: 'submit-now', title: 'Do it from any field', contexts: ['form'], hint: 'do it'},
	{
		keys: ['escape'],
		action: 'cancel',
		title: 'Cancel',
		contexts: ['form', 'confirm', 'help', 'details', 'go', 'search', 'blocks'],
		hint: 'cancel',
	},
	{keys: ['y', 'enter'], action: 'confirm', title: 'Yes', contexts: ['confirm'], hint: 'yes'},
	{keys: ['n'], action: 'refuse', title: 'No', contexts: ['confirm'], hint: 'no'},
	{
		keys: ['l'],
		action: 'work-locally',
		title: 'Work locally, without an account',
		contexts: ['welcome'],
		hint: 'work locally',
	},
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
		keys: ['tab'],
		action: 'other-side',
		title: 'The event, or the diagnostics, where there is room for one',
		contexts: ['events'],
		hint: 'diagnostics',
	},
	{
		keys: ['y'],
		action: 'copy-event',
		title: 'Copy the event as JSON',
		contexts: ['events'],
		hint: 'copy',
		isEnabled: hasEvent,
	},
	...organizationBindings,
	{
		keys: ['1'],
		action: 'view-work',
		title: 'View 1: Work',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['3'],
		action: 'view-usage',
		title: 'View 3: Usage',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['4'],
		action: 'view-readiness',
		title: 'View 4: Readiness',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['5'],
		action: 'view-controls',
		title: 'View 5: Controls',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['6'],
		action: 'view-users',
		title: 'View 6: Users',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: ['7'],
		action: 'view-events',
		title: 'View 7: Events and diagnostics',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
	},
	{
		keys: [':'],
		action: 'go',
		title: 'Go to a view, session or computer by its name',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization'],
		hint: 'go to',
	},
	{keys: ['enter'], action: 'go-there', title: 'Go there', contexts: ['go'], hint: 'go'},
	{
		keys: ['?'],
		action: 'help',
		title: 'Keys',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization', 'welcome'],
		hint: 'keys',
	},
	{
		keys: ['q'],
		action: 'quit',
		title: 'Quit',
		contexts: ['lists', 'stream', 'computer', 'events', 'organization', 'welcome'],
		hint: 'quit',
	},
	{keys: ['ctrl+c'], action: 'interrupt', title: 'Twice: quit from anywhere', contexts: ['everywhere']},
] as const satisfies readonly (Omit<Binding, 'action'> & {action: string})[];

export const bindings: readonly Binding[] = table;

/** The binding of a key where the focus is, enabled or not. */
export function findBinding(contexts: readonly KeyContext[], key: string): Binding | undefined {
	return bindings.find(
		binding => binding.keys.includes(key) && binding.contexts.some(context => contexts.includes(context)),
	);
}

export function isEnabled(binding: Binding, facts: KeyFacts): Enabled {
	return binding.isEnabled?.(facts) ?? true;
}
