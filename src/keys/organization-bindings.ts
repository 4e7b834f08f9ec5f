import type {Enabled, KeyFacts} from './facts.ts';

const hasRow = (facts: KeyFacts): Enabled => facts.isPageRowSelected || 'There is nothing here to open';

/** Keys of the organization's views: usage, readiness, controls and users. */
export const organizationBindings = [
	{keys: ['c'], action: 'tab-credits', title: 'Credits: by day, model and user', contexts: ['usage']},
	{keys: ['a'], action: 'tab-adoption', title: 'Adoption: who is active, when, where', contexts: ['usage']},
	{keys: ['u'], action: 'tab-autonomy', title: 'Autonomy: how much is delegated', contexts: ['usage']},
	{keys: ['o'], action: 'tab-output', title: 'Output: what comes out, what it costs', contexts: ['usage']},
	{keys: ['t'], action: 'tab-tools', title: 'Tools, MCP servers, skills, hooks', contexts: ['usage']},
	{keys: ['p'], action: 'tab-people', title: 'People, day by day', contexts: ['usage']},
	{keys: ['tab'], action: 'next-tab', title: 'Next tab', contexts: ['usage'], hint: 'tab'},
	{keys: ['shift+tab'], action: 'previous-tab', title: 'Previous tab', contexts: ['usage']},
	{
		keys: ['>', '.'],
		action: 'longer-range',
		title: 'More days: 7, 14, 28, 90, all',
		contexts: ['usage'],
		hint: 'longer',
	},
	{keys: ['<', ','], action: 'shorter-range', title: 'Fewer days', contexts: ['usage'], hint: 'shorter'},
	{
		keys: ['left', 'h'],
		action: 'day-before',
		title: 'The day before: its exact values',
		contexts: ['usage'],
		hint: 'day',
	},
	{keys: ['right', 'l'], action: 'day-after', title: 'The day after', contexts: ['usage']},
	{
		keys: ['f'],
		action: 'people-group',
		title: 'Active, inactive, new people, or those who are no users',
		contexts: ['people'],
		hint: 'inactive, new',
	},
	{keys: ['s'], action: 'sort', title: 'Order by the next column', contexts: ['people'], hint: 'sort'},
	{keys: ['S'], action: 'reverse-sort', title: 'Order the other way round', contexts: ['people']},
	{
		keys: ['enter'],
		action: 'open-row',
		title: 'Open what the cursor is on',
		contexts: ['opening'],
		hint: 'open',
		isEnabled: hasRow,
	},
	{
		keys: ['/'],
		action: 'filter-page',
		title: 'Filter the list by words',
		contexts: ['pages'],
		hint: 'filter',
	},
	{
		keys: ['v'],
		action: 'compare-report',
		title: 'Compare with the report before, and with those before that',
		contexts: ['report'],
		hint: 'compare',
	},
	{
		keys: ['r'],
		action: 'read-again',
		title: 'Read it again, now',
		contexts: ['organization'],
		hint: 'read again',
	},
] as const;
