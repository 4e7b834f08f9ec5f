import {hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const someoneNeedsMe = (facts: KeyState): Enabled => facts.needsCount > 0 || 'Nothing needs you';

/** Contexts in which keys move through a view. */
const inViews = ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization'] as const;

/** Keys for moving within a view, between panes and to other views: the same everywhere. */
export const viewBindings = [
	{
		keys: ['j', 'down'],
		action: 'down',
		title: 'Down',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: ['k', 'up'],
		action: 'up',
		title: 'Up',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: ['home', 'g'],
		action: 'top',
		title: 'To the top',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: ['end', 'G'],
		action: 'bottom',
		title: 'To the end, and follow new messages',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: ['ctrl+d', 'pagedown'],
		action: 'page-down',
		title: 'Half a page down',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: ['ctrl+u', 'pageup'],
		action: 'page-up',
		title: 'Half a page up',
		contexts: inViews,
		isMotion: true,
	},
	{
		keys: [']'],
		action: 'next-needs',
		title: 'Next session that needs you',
		contexts: inViews,
		isEnabled: someoneNeedsMe,
	},
	{
		keys: ['['],
		action: 'previous-needs',
		title: 'Previous session that needs you',
		contexts: inViews,
		isEnabled: someoneNeedsMe,
	},
	{
		keys: ['r'],
		action: 'refresh',
		title: 'Refresh from the service',
		contexts: ['lists', 'stream', 'computer', 'computer-table'],
		isEnabled: hasService,
	},
	{
		keys: ['u'],
		action: 'undo',
		title: 'Undo the last forget, archive, acknowledge or snooze',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'inbox'],
		isEnabled: (facts: KeyState): Enabled => facts.canUndo || 'There is nothing to undo',
	},
	{
		keys: ['escape'],
		action: 'back',
		title: 'Back',
		contexts: inViews,
	},
	{
		keys: ['tab'],
		action: 'next-pane',
		title: 'Next pane',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'composer'],
		isMotion: true,
	},
	{
		keys: ['shift+tab'],
		action: 'previous-pane',
		title: 'Previous pane',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'composer'],
		isMotion: true,
	},
	{
		keys: ['1'],
		action: 'view-work',
		title: 'View 1: Work',
		contexts: inViews,
	},
	{
		keys: ['2'],
		action: 'view-computers',
		title: 'View 2: Computers',
		contexts: inViews,
	},
	{
		keys: ['3'],
		action: 'view-usage',
		title: 'View 3: Usage',
		contexts: inViews,
	},
	{
		keys: ['4'],
		action: 'view-readiness',
		title: 'View 4: Readiness',
		contexts: inViews,
	},
	{
		keys: ['5'],
		action: 'view-controls',
		title: 'View 5: Controls',
		contexts: inViews,
	},
	{
		keys: ['6'],
		action: 'view-users',
		title: 'View 6: Users',
		contexts: inViews,
	},
	{
		keys: ['7'],
		action: 'view-events',
		title: 'View 7: Events and diagnostics',
		contexts: inViews,
	},
	{
		keys: ['ctrl+p', ':'],
		action: 'palette',
		title: 'Commands: run or open anything by name',
		contexts: [...inViews, 'welcome'],
		hint: 'commands',
		isMotion: true,
	},
	{
		keys: ['ctrl+p'],
		action: 'palette',
		title: 'Commands: run or open anything by name; the draft stays',
		contexts: ['composer'],
		isMotion: true,
	},
	{
		keys: ['P'],
		action: 'profiles',
		title: 'Profiles: switch to another service',
		contexts: [...inViews, 'welcome'],
	},
	{
		keys: ['T'],
		action: 'themes',
		title: 'Theme: dark, light, high contrast, 16 colors, none',
		contexts: [...inViews, 'welcome'],
	},
	{
		keys: ['M'],
		action: 'mouse',
		title: 'Mouse on or off (on: hold Shift to select text)',
		contexts: inViews,
	},
	{
		keys: ['{'],
		action: 'narrow-left',
		title: 'Shrink the left or top panes',
		contexts: inViews,
	},
	{
		keys: ['}'],
		action: 'widen-left',
		title: 'Grow the left or top panes',
		contexts: inViews,
	},
	{
		keys: ['?'],
		action: 'help',
		title: 'Keys',
		contexts: [...inViews, 'welcome'],
		hint: 'keys',
	},
	{
		keys: ['q'],
		action: 'quit',
		title: 'Quit',
		contexts: [...inViews, 'welcome'],
		hint: 'quit',
	},
] as const;
