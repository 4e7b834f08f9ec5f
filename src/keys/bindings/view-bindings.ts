import {hasService, needsUser, someNeedUser, whenDown} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const somethingNeedsUser = (state: KeyState): Enabled => state.needsCount > 0 || 'Nothing needs you';

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

const inViewsAndWelcome = [...inViews, 'welcome'] as const;
const inPanes = ['lists', 'stream', 'computer', 'computer-table', 'composer'] as const;

/** Keys for moving within a view, between panes and to other views: the same everywhere. */
export const viewBindings = [
	...bindingsIn({contexts: inViews, isPaletteHidden: true}, [
		{action: 'down', keys: ['j', 'down'], title: 'Down', findBy: 'scroll'},
		{action: 'up', keys: ['k', 'up'], title: 'Up', findBy: 'scroll'},
		{action: 'top', keys: ['home', 'g'], title: 'To the top', findBy: 'scroll'},
		{action: 'bottom', keys: ['end', 'G'], title: 'To the end, and follow new messages', findBy: 'scroll'},
		{action: 'page-down', keys: ['ctrl+d', 'pagedown'], title: 'Scroll half a page down'},
		{action: 'page-up', keys: ['ctrl+u', 'pageup'], title: 'Scroll half a page up'},
	]),
	...bindingsIn({contexts: inViews, isEnabled: somethingNeedsUser}, [
		{
			action: 'next-needs',
			keys: [']'],
			title: 'Open the next session or computer that needs you',
			hint: 'next that needs you',
			hintNow: state => (needsUser(state) ? 'next' : 'needs you'),
			isFirst: someNeedUser,
		},
		{action: 'previous-needs', keys: ['['], title: 'Open the previous session or computer that needs you'},
	]),
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Refresh from the service; while it is offline, try again now',
		findBy: 'reconnect retry',
		...whenDown('try again'),
		isEnabled: hasService,
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events'],
	},
	{
		action: 'undo',
		keys: ['u'],
		title: 'Undo the last forget, archive, rename, acknowledge or snooze',
		isEnabled: ({canUndo}: KeyState): Enabled => canUndo || 'There is nothing to undo',
		contexts: ['lists', 'stream', 'session-table', 'computer', 'computer-table', 'events', 'inbox'],
	},
	{
		action: 'back',
		keys: ['escape'],
		title: 'Back',
		hintNow: ({clearsFilter}: KeyState): string | undefined => (clearsFilter ? 'clear filter' : undefined),
		isFirst: ({clearsFilter}: KeyState): boolean => clearsFilter === true,
		// These have their own, which name what it leads to.
		contexts: inViews.filter(context => context !== 'stream' && context !== 'computer'),
	},
	...bindingsIn({contexts: inPanes, isPaletteHidden: true}, [
		{action: 'next-pane', keys: ['tab'], title: 'Next pane'},
		{
			action: 'previous-pane',
			keys: ['shift+tab'],
			title: 'Previous pane',
			contexts: [...inPanes, 'events'],
		},
	]),
	...bindingsIn({contexts: inViews}, [
		{action: 'view-work', keys: ['1'], title: 'View 1: Work'},
		{action: 'view-sessions', keys: ['2'], title: 'View 2: Sessions'},
		{action: 'view-computers', keys: ['3'], title: 'View 3: Computers'},
		{action: 'view-usage', keys: ['4'], title: 'View 4: Usage'},
		{action: 'view-readiness', keys: ['5'], title: 'View 5: Readiness'},
		{action: 'view-controls', keys: ['6'], title: 'View 6: Controls'},
		{action: 'view-users', keys: ['7'], title: 'View 7: Users'},
		{action: 'view-events', keys: ['8'], title: 'View 8: Events and diagnostics'},
	]),
	{
		action: 'palette',
		keys: ['ctrl+p', ':'],
		title: 'Commands: run or open anything by name',
		hint: 'commands',
		contexts: inViewsAndWelcome,
		isPaletteHidden: true,
	},
	{
		action: 'palette',
		keys: ['ctrl+p'],
		title: 'Commands: run or open anything by name; the draft stays',
		contexts: ['composer'],
		isPaletteHidden: true,
	},
	{
		action: 'profiles',
		keys: ['P'],
		title: 'Profiles: switch to another service',
		...whenDown('profiles'),
		contexts: inViewsAndWelcome,
	},
	{
		action: 'replace-key',
		keys: ['K'],
		title: "Replace the key of the profile's service",
		hintNow: ({isKeyRefused}: KeyState): string | undefined => (isKeyRefused ? 'replace key' : undefined),
		isFirst: ({isKeyRefused}: KeyState): boolean => isKeyRefused,
		isEnabled: ({canReplaceKey}: KeyState) => canReplaceKey,
		contexts: inViews,
	},
	{
		action: 'themes',
		keys: ['T'],
		title: 'Theme: dark, light, high contrast, 16 colors, none',
		contexts: inViewsAndWelcome,
	},
	...bindingsIn({contexts: inViews}, [
		{action: 'mouse', keys: ['M'], title: 'Mouse on or off (on: hold Shift to select text)'},
		{action: 'narrow-left', keys: ['{'], title: 'Shrink the left or top panes'},
		{action: 'widen-left', keys: ['}'], title: 'Grow the left or top panes'},
	]),
	...bindingsIn({contexts: inViewsAndWelcome}, [
		{action: 'help', keys: ['?'], title: 'Keys', hint: 'keys'},
		{action: 'quit', keys: ['q'], title: 'Quit', hint: 'quit'},
	]),
] as const;
