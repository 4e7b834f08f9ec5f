import type {PeopleOrder} from '../domain/usage/people-order.ts';
import type {RangeChoice} from '../domain/usage/range.ts';
import type {UserOrder} from './joined-users.ts';

export const usageTabs = ['credits', 'adoption', 'autonomy', 'output', 'tools', 'people'] as const;
export type UsageTab = (typeof usageTabs)[number];

export const peopleOrders = [
	'billable_tokens',
	'sessions',
	'user_messages',
	'tool_calls',
	'autonomy',
	'activeDays',
	'lastDay',
	'email',
] as const satisfies readonly PeopleOrder[];

export const peopleGroups = ['active', 'inactive', 'new', 'unlisted'] as const;
export type PeopleGroup = (typeof peopleGroups)[number];

/** Parts of the users, by what they did in the range. */
export const userGroups = ['all', 'active', 'inactive', 'new', 'never'] as const;
export type UserGroup = (typeof userGroups)[number];

/** Where the cursor of a page is: on the row of that id, or else on the row at that index. */
export type PageCursor = {readonly index: number; readonly id?: string};

/** How the organization's views are read: everything that is the user's doing. */
export type OrganizationReading = {
	readonly range: RangeChoice;
	readonly tab: UsageTab;
	/** Days before the last one: which day's exact values are shown. */
	readonly back: number;
	readonly order: (typeof peopleOrders)[number];
	readonly isAscending: boolean;
	readonly group: PeopleGroup;
	/** The same of the Users view. */
	readonly userOrder: UserOrder;
	readonly isUserAscending: boolean;
	readonly userGroup: UserGroup;
	/** What Enter opened, by view: a person, a repository, a revision. */
	readonly opened: Readonly<Record<string, string>>;
	/** Controls: the settings in force instead of their history. */
	readonly showsInForce: boolean;
	/** Which report of the opened repository is shown: so many before the newest. */
	readonly report: number;
	/** Reports before that one that it is compared with; 0: it is not compared. */
	readonly compared: number;
	/** Cursors by page. */
	readonly cursors: Readonly<Record<string, PageCursor>>;
	/** Filters by view. */
	readonly words: Readonly<Record<string, string>>;
	/** How often the user asked to read again. */
	readonly asked: number;
};

export const firstReading: OrganizationReading = {
	range: 28,
	tab: 'credits',
	back: 0,
	order: 'billable_tokens',
	isAscending: false,
	group: 'active',
	userOrder: 'lastSignInAt',
	isUserAscending: false,
	userGroup: 'all',
	opened: {},
	showsInForce: false,
	report: 0,
	compared: 0,
	cursors: {},
	words: {},
	asked: 0,
};

/** The page that is on screen: cursors belong to one. */
export function pageKey(view: string, reading: OrganizationReading): string {
	const opened = reading.opened[view];
	if (opened !== undefined) return `${view}/${opened}`;
	if (view === 'controls' && reading.showsInForce) return 'controls/in-force';
	if (view === 'users') return `users/${reading.userGroup}`;
	return view === 'usage' ? `usage/${reading.tab}/${reading.group}` : view;
}

/** The next of a list, around its end. */
export function nextOf<Item>(list: readonly Item[], item: Item, by: 1 | -1 = 1): Item {
	return list[(list.indexOf(item) + by + list.length) % list.length] ?? item;
}

/** Without what Enter opened in a view. */
export function closed(reading: OrganizationReading, view: string): OrganizationReading {
	const {[view]: _, ...opened} = reading.opened;
	return {...reading, opened, report: 0, compared: 0};
}
