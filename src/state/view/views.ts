/** All views, in key order. Adding a row here makes a view reachable. */
export const views = [
	{name: 'work', key: '1', title: 'Work'},
	{name: 'sessions', key: '2', title: 'Sessions'},
	{name: 'computers', key: '3', title: 'Computers'},
	{name: 'usage', key: '4', title: 'Usage'},
	{name: 'readiness', key: '5', title: 'Readiness'},
	{name: 'controls', key: '6', title: 'Controls'},
	{name: 'users', key: '7', title: 'Users'},
	{name: 'events', key: '8', title: 'Events and diagnostics'},
] as const;

export type ViewName = (typeof views)[number]['name'];
