import {hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const someoneNeedsMe = (state: KeyState): Enabled => state.needsCount > 0 || 'Nothing needs you';

/** What helps while the service takes no requests. */
const whenBlocked =
	(hint: string) =>
	({isBlocked}: KeyState): string | undefined =>
		isBlocked ? hint : undefined;

/** Contexts in which keys move through a view. */
const inViews = [
	'lists',
	'stream',
	'session-table',
	'computer',
	'computer-table',
	'events',
	'organization',
] as const;

const motion = {contexts: inViews, isMotion: true} as const;
const inView = {contexts: inViews} as const;
const onFirstScreenToo = {contexts: [...inViews, 'welcome']} as const;

/** Keys for moving within a view, between panes and to other views: the same everywhere. */
export const viewBindings = [
	{...motion, action: 'down', keys: ['j', 'down'], title: 'Down'},
	{...motion, action: 'up', keys: ['k', 'up'], title: 'Up'},
	{...motion, action: 'top', keys: ['home', 'g'], title: 'To the top'},
	{...motion, action: 'bottom', keys: ['end', 'G'], title: 'To the end, and follow new messages'},
	{...motion, action: 'page-down', keys: ['ctrl+d', 'pagedown'], title: 'Half a page down'},
	{...motion, action: 'page-up', keys: ['ctrl+u', 'pageup'], title: 'Half a page up'},
	{
		...inView,
		action: 'next-needs',
		keys: [']'],
		title: 'Open the next session or computer that needs you',
		hint: 'next that needs you',
		isEnabled: someoneNeedsMe,
	},
	{
		...inView,
		action: 'previous-needs',
		keys: ['['],
		title: 'Open the previous session or computer that needs you',
		isEnabled: someoneNeedsMe,
	},
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Refresh from the service',
		hintNow: whenBlocked('try again'),
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table'],
		isEnabled: hasService,
	},
	{
		action: 'undo',
		keys: ['u'],
		title: 'Undo the last forget, archive, acknowledge or snooze',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events', 'inbox'],
		isEnabled: (state: KeyState): Enabled => state.canUndo || 'There is nothing to undo',
	},
	{
		action: 'back',
		keys: ['escape'],
		title: 'Back',
		// The stream has its own, which names what it leads to.
		contexts: inViews.filter(context => context !== 'stream'),
	},
	{
		action: 'next-pane',
		keys: ['tab'],
		title: 'Next pane',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'composer'],
		isMotion: true,
	},
	{
		action: 'previous-pane',
		keys: ['shift+tab'],
		title: 'Previous pane',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'composer'],
		isMotion: true,
	},
	{...inView, action: 'view-work', keys: ['1'], title: 'View 1: Work'},
	{...inView, action: 'view-sessions', keys: ['2'], title: 'View 2: Sessions'},
	{...inView, action: 'view-computers', keys: ['3'], title: 'View 3: Computers'},
	{...inView, action: 'view-usage', keys: ['4'], title: 'View 4: Usage'},
	{...inView, action: 'view-readiness', keys: ['5'], title: 'View 5: Readiness'},
	{...inView, action: 'view-controls', keys: ['6'], title: 'View 6: Controls'},
	{...inView, action: 'view-users', keys: ['7'], title: 'View 7: Users'},
	{...inView, action: 'view-events', keys: ['8'], title: 'View 8: Events and diagnostics'},
	{
		...onFirstScreenToo,
		action: 'palette',
		keys: ['ctrl+p', ':'],
		title: 'Commands: run or open anything by name',
		hint: 'commands',
		isMotion: true,
	},
	{
		action: 'palette',
		keys: ['ctrl+p'],
		title: 'Commands: run or open anything by name; the draft stays',
		contexts: ['composer'],
		isMotion: true,
	},
	{
		...onFirstScreenToo,
		action: 'profiles',
		keys: ['P'],
		title: 'Profiles: switch to another service',
		hintNow: whenBlocked('profiles'),
	},
	{
		action: 'replace-key',
		keys: ['K'],
		title: "Replace the key of the profile's service",
		hintNow: whenBlocked('replace key'),
		contexts: inViews,
		isEnabled: ({canReplaceKey}: KeyState): Enabled => canReplaceKey,
	},
	{
		...onFirstScreenToo,
		action: 'themes',
		keys: ['T'],
		title: 'Theme: dark, light, high contrast, 16 colors, none',
	},
	{...inView, action: 'mouse', keys: ['M'], title: 'Mouse on or off (on: hold Shift to select text)'},
	{...inView, action: 'narrow-left', keys: ['{'], title: 'Shrink the left or top panes'},
	{...inView, action: 'widen-left', keys: ['}'], title: 'Grow the left or top panes'},
	{...onFirstScreenToo, action: 'help', keys: ['?'], title: 'Keys', hint: 'keys'},
	{...onFirstScreenToo, action: 'quit', keys: ['q'], title: 'Quit', hint: 'quit'},
] as const;
