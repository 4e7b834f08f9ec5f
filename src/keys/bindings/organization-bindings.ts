import {unlessEmpty, whenDown} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasDays = ({isWithoutDays}: KeyState): Enabled =>
	!isWithoutDays || 'The service has no usage data for these days';

const comparisonHints = {none: '', start: 'compare', older: 'compare older', end: 'end comparison'} as const;

/** Keys of the organization views: usage, readiness, controls and users. */
export const organizationBindings = [
	...bindingsIn({contexts: ['usage']}, [
		{action: 'tab-credits', keys: ['c'], title: 'Credits: by day, model and user'},
		{action: 'tab-adoption', keys: ['a'], title: 'Adoption: who is active, when, where'},
		{action: 'tab-autonomy', keys: ['u'], title: 'Autonomy: how much is delegated'},
		{action: 'tab-output', keys: ['o'], title: 'Output: what is produced, and its cost'},
		{action: 'tab-tools', keys: ['t'], title: 'Tools, MCP servers, skills, hooks'},
		{action: 'tab-people', keys: ['p'], title: 'People, day by day'},
		{action: 'next-tab', keys: ['tab'], title: 'Next tab', hint: 'tab'},
		{action: 'previous-tab', keys: ['shift+tab'], title: 'Previous tab'},
	]),
	...bindingsIn({contexts: ['usage', 'users']}, [
		{action: 'longer-range', keys: ['>', '.'], title: 'More days: 7, 14, 28, 90, all', hint: 'longer'},
		{action: 'shorter-range', keys: ['<', ','], title: 'Fewer days', hint: 'shorter'},
	]),
	...bindingsIn({contexts: ['usage', 'users'], isEnabled: hasDays}, [
		{action: 'day-before', keys: ['left', 'h'], title: 'Previous day: exact values', hint: 'day'},
		{action: 'day-after', keys: ['right', 'l'], title: 'Next day'},
	]),
	...bindingsIn({contexts: ['people']}, [
		{
			action: 'people-group',
			keys: ['f'],
			title: 'Next group: active, inactive, new, not in the user list',
			hint: 'group',
		},
		{action: 'sort', keys: ['s'], title: 'Sort people by the next column', hint: 'sort'},
		{action: 'reverse-sort', keys: ['S'], title: 'Reverse the order of people'},
	]),
	{
		action: 'open-row',
		keys: ['enter'],
		title: 'Open the selected item',
		hint: 'open',
		...unlessEmpty,
		contexts: ['opening'],
	},
	{
		action: 'filter-page',
		keys: ['/'],
		title: 'Filter the list',
		hint: 'filter',
		...unlessEmpty,
		contexts: ['pages'],
	},
	{
		action: 'controls-tab',
		keys: ['tab'],
		title: 'Current settings, or their history',
		hint: 'current',
		hintNow: ({isSecondPage}: KeyState) => (isSecondPage ? 'history' : undefined),
		contexts: ['controls'],
	},
	{
		action: 'readiness-tab',
		keys: ['tab'],
		title: 'Repositories, or criteria across them',
		hint: 'criteria',
		hintNow: ({isSecondPage}: KeyState) => (isSecondPage ? 'reports' : undefined),
		contexts: ['readiness'],
	},
	...bindingsIn({contexts: ['report']}, [
		{
			action: 'compare-report',
			keys: ['v'],
			title: 'Compare with earlier reports',
			hint: 'compare',
			hintNow: ({nextComparison}: KeyState) => comparisonHints[nextComparison ?? 'none'],
		},
		{
			action: 'older-report',
			keys: ['left', 'h'],
			title: 'Previous report',
			hint: 'older',
			hintNow: ({nextComparison}: KeyState) => (nextComparison === undefined ? '' : undefined),
		},
		{action: 'newer-report', keys: ['right', 'l'], title: 'Next report'},
	]),
	{
		action: 'read-again',
		keys: ['r'],
		title: 'Refresh; while the service is offline, try again now',
		findBy: 'reconnect retry',
		hint: 'refresh',
		...whenDown('try again'),
		contexts: ['organization'],
	},
	...bindingsIn({contexts: ['organization']}, [
		{
			action: 'export-page',
			keys: ['x'],
			title: 'Export what is shown, as CSV or JSON, to a file or the clipboard',
			hint: 'export',
			...unlessEmpty,
		},
		{action: 'copy-page', keys: ['y'], title: "Copy the list or the page's tables as CSV"},
	]),
	{
		action: 'free-range',
		keys: ['d'],
		title: 'Choose a date range',
		hint: 'days',
		contexts: ['usage', 'users'],
	},
] as const;
