const inUsage = {contexts: ['usage']} as const;
const onDays = {contexts: ['usage', 'users']} as const;
const onPeople = {contexts: ['people']} as const;
const onReport = {contexts: ['report']} as const;

/** Keys of the organization views: usage, readiness, controls and users. */
export const organizationBindings = [
	{...inUsage, action: 'tab-credits', keys: ['c'], title: 'Credits: by day, model and user'},
	{...inUsage, action: 'tab-adoption', keys: ['a'], title: 'Adoption: who is active, when, where'},
	{...inUsage, action: 'tab-autonomy', keys: ['u'], title: 'Autonomy: how much is delegated'},
	{...inUsage, action: 'tab-output', keys: ['o'], title: 'Output: what is produced, and its cost'},
	{...inUsage, action: 'tab-tools', keys: ['t'], title: 'Tools, MCP servers, skills, hooks'},
	{...inUsage, action: 'tab-people', keys: ['p'], title: 'People, day by day'},
	{...inUsage, action: 'next-tab', keys: ['tab'], title: 'Next tab', hint: 'tab'},
	{...inUsage, action: 'previous-tab', keys: ['shift+tab'], title: 'Previous tab'},
	{
		...onDays,
		action: 'longer-range',
		keys: ['>', '.'],
		title: 'More days: 7, 14, 28, 90, all',
		hint: 'longer',
	},
	{...onDays, action: 'shorter-range', keys: ['<', ','], title: 'Fewer days', hint: 'shorter'},
	{...onDays, action: 'day-before', keys: ['left', 'h'], title: 'Previous day: exact values', hint: 'day'},
	{...onDays, action: 'day-after', keys: ['right', 'l'], title: 'Next day'},
	{
		...onPeople,
		action: 'people-group',
		keys: ['f'],
		title: 'Next group: active, inactive, new, not in the user list',
		hint: 'inactive, new',
	},
	{...onPeople, action: 'sort', keys: ['s'], title: 'Sort people by the next column', hint: 'sort'},
	{...onPeople, action: 'reverse-sort', keys: ['S'], title: 'Reverse the order of people'},
	{action: 'open-row', keys: ['enter'], title: 'Open the selected item', hint: 'open', contexts: ['opening']},
	{action: 'filter-page', keys: ['/'], title: 'Filter the list', hint: 'filter', contexts: ['pages']},
	{
		action: 'controls-tab',
		keys: ['tab'],
		title: 'Current settings, or their history',
		hint: 'history, current',
		contexts: ['controls'],
	},
	{
		action: 'readiness-tab',
		keys: ['tab'],
		title: 'Repositories, or criteria across them',
		hint: 'criteria',
		contexts: ['readiness'],
	},
	{
		...onReport,
		action: 'compare-report',
		keys: ['v'],
		title: 'Compare with earlier reports',
		hint: 'compare',
	},
	{...onReport, action: 'older-report', keys: ['left', 'h'], title: 'Previous report', hint: 'older'},
	{...onReport, action: 'newer-report', keys: ['right', 'l'], title: 'Next report'},
	{action: 'read-again', keys: ['r'], title: 'Refresh', hint: 'refresh', contexts: ['organization']},
] as const;
