/** All views, in key order. Adding a row here makes a view reachable. */
export const views = [
	{name: 'work', key: '1', title: 'Work'},
	{name: 'computers', key: '2', title: 'Computers'},
	{name: 'usage', key: '3', title: 'Usage'},
	{name: 'readiness', key: '4', title: 'Readiness'},
	{name: 'controls', key: '5', title: 'Controls'},
	{name: 'users', key: '6', title: 'Users'},
	{name: 'events', key: '7', title: 'Events and diagnostics'},
] as const;

export type ViewName = (typeof views)[number]['name'];
