import {hasService} from './enabled.ts';
import type {Enabled, KeyFacts} from './facts.ts';

const someoneNeedsMe = (facts: KeyFacts): Enabled => facts.needsCount > 0 || 'Nothing needs you';

/** Where the keys move through a view. */
const inViews = ['lists', 'stream', 'computer', 'events', 'organization'] as const;

/** Moving in a view, between panes and to another view: the same everywhere. */
export const viewBindings = [
	{
		keys: ['j', 'down'],
		action: 'down',
		title: 'Down',
		contexts: inViews,
	},
	{
		keys: ['k', 'up'],
		action: 'up',
		title: 'Up',
		contexts: inViews,
	},
	{
		keys: ['g', 'home'],
		action: 'top',
		title: 'To the top',
		contexts: inViews,
	},
	{
		keys: ['G', 'end'],
		action: 'bottom',
		title: 'To the end; the stream follows again',
		contexts: inViews,
	},
	{
		keys: ['ctrl+d', 'pagedown'],
		action: 'page-down',
		title: 'Half a page down',
		contexts: inViews,
	},
	{
		keys: ['ctrl+u', 'pageup'],
		action: 'page-up',
		title: 'Half a page up',
		contexts: inViews,
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
		title: 'Ask the service again, now',
		contexts: ['lists', 'stream', 'computer'],
		isEnabled: hasService,
	},
	{
		keys: ['u'],
		action: 'undo',
		title: 'Undo the last forgetting',
		contexts: ['lists', 'stream', 'computer', 'events'],
		isEnabled: (facts: KeyFacts): Enabled => facts.canUndo || 'There is nothing to undo',
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
		contexts: ['lists', 'stream', 'computer', 'composer'],
	},
	{
		keys: ['shift+tab'],
		action: 'previous-pane',
		title: 'Previous pane',
		contexts: ['lists', 'stream', 'computer', 'composer'],
	},
	{
		keys: ['1'],
		action: 'view-work',
		title: 'View 1: Work',
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
		keys: [':'],
		action: 'go',
		title: 'Go to a view, session or computer by its name',
		contexts: inViews,
		hint: 'go to',
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
