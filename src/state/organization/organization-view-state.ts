import type {RangeChoice} from '../../domain/usage/range.ts';
import type {TableOrder} from '../rows/table-rows.ts';

export const usageTabs = ['credits', 'adoption', 'autonomy', 'output', 'tools', 'people'] as const;
export type UsageTab = (typeof usageTabs)[number];

export const peopleGroups = ['active', 'unlisted'] as const;

/** User groups, by activity in the range. */
export const userGroups = ['all', 'active', 'inactive', 'new', 'never'] as const;
export type UserGroup = (typeof userGroups)[number];

/** The cursor of a page: on the row with that id, otherwise on the row at that index. */
export type PageCursor = {readonly index: number; readonly id?: string};

export type OrganizationViewState = {
	readonly range: RangeChoice;
	readonly tab: UsageTab;
	/** The day whose exact values are shown, counted back from the last one. */
	readonly daysBack: number;
	readonly people: TableOrder & {readonly group: (typeof peopleGroups)[number]};
	readonly users: TableOrder & {readonly group: UserGroup};
	readonly readiness: TableOrder;
	/** The item opened with Enter, by view: a person, a repository or a revision. */
	readonly opened: Readonly<Record<string, string>>;
	/** Controls view: show the settings in force instead of their history. */
	readonly showsInForce: boolean;
	/** Readiness view: show the criteria across repositories instead of the repositories. */
	readonly showsCriteria: boolean;
	/** The shown report of the open repository, counted back from the newest. */
	readonly report: number;
	/** Show how the report differs from the previous one. */
	readonly comparesReports: boolean;
	readonly cursors: Readonly<Record<string, PageCursor>>;
	/** Number of times the user requested a reload. */
	readonly refreshCount: number;
};

export const firstOrganizationState: OrganizationViewState = {
	range: 30,
	tab: 'credits',
	daysBack: 0,
	people: {order: 'billable_tokens', isReversed: true, group: 'active'},
	users: {order: 'last_sign_in_at', isReversed: true, group: 'all'},
	readiness: {order: 'share', isReversed: false},
	opened: {},
	showsInForce: false,
	showsCriteria: false,
	report: 0,
	comparesReports: false,
	cursors: {},
	refreshCount: 0,
};

/** Key of the page on screen; each page has its own cursor. */
export function pageKey(view: string, viewState: OrganizationViewState): string {
	const opened = viewState.opened[view];
	const isCriteria = view === 'readiness' && viewState.showsCriteria;
	if (opened !== undefined) return isCriteria ? `criteria/${opened}` : `${view}/${opened}`;
	if (isCriteria) return 'criteria';
	if (view === 'controls' && viewState.showsInForce) return 'controls/in-force';
	if (view === 'users') return `users/${viewState.users.group}`;
	return view === 'usage' ? `usage/${viewState.tab}/${viewState.people.group}` : view;
}

export function withClosed(viewState: OrganizationViewState, view: string): OrganizationViewState {
	const {[view]: _, ...opened} = viewState.opened;
	return {...viewState, opened, report: 0, comparesReports: false};
}
