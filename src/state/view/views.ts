import type {Subject} from '../../domain/sessions/attention.ts';

type ViewInfo = {
	readonly name: string;
	readonly key: string;
	readonly title: string;
	/** What the rows are, of a table with rows that keys act on. */
	readonly rows?: Subject['kind'];
};

/** All views, in key order. */
export const views = [
	{name: 'work', key: '1', title: 'Work'},
	{name: 'sessions', key: '2', title: 'Sessions', rows: 'session'},
	{name: 'computers', key: '3', title: 'Computers', rows: 'computer'},
	{name: 'usage', key: '4', title: 'Usage'},
	{name: 'readiness', key: '5', title: 'Readiness'},
	{name: 'controls', key: '6', title: 'Controls'},
	{name: 'users', key: '7', title: 'Users'},
	{name: 'events', key: '8', title: 'Events and diagnostics'},
] as const satisfies readonly ViewInfo[];

export type ViewName = (typeof views)[number]['name'];

export function viewInfo(name: ViewName): ViewInfo {
	return views.find(view => view.name === name) ?? views[0];
}
