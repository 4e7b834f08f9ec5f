import {notify} from '../actions/notify.ts';
import {dayCount, presetBeside} from '../domain/usage/range.ts';
import {userOrders} from '../state/joined-users.ts';
import {
	closed,
	nextOf,
	type OrganizationReading,
	peopleGroups,
	peopleOrders,
	type UsageTab,
	usageTabs,
	userGroups,
} from '../state/organization-reading.ts';
import {type ViewStore, withOrganization} from '../state/view.ts';
import {setView} from './set-view.ts';
import {strings as allStrings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';

const strings = allStrings.organization;

/** Intents of the organization's views. */
export const organizationIntents = {
	'tab-credits': (parts: AppParts) => showTab(parts.view, 'credits'),
	'tab-adoption': (parts: AppParts) => showTab(parts.view, 'adoption'),
	'tab-autonomy': (parts: AppParts) => showTab(parts.view, 'autonomy'),
	'tab-output': (parts: AppParts) => showTab(parts.view, 'output'),
	'tab-tools': (parts: AppParts) => showTab(parts.view, 'tools'),
	'tab-people': (parts: AppParts) => showTab(parts.view, 'people'),
	'next-tab': (parts: AppParts) => change(parts.view, ({tab}) => ({tab: nextOf(usageTabs, tab)})),
	'previous-tab': (parts: AppParts) => change(parts.view, ({tab}) => ({tab: nextOf(usageTabs, tab, -1)})),
	'longer-range': (parts: AppParts) =>
		change(parts.view, ({range}) => ({range: presetBeside(range, 1), back: 0})),
	'shorter-range': (parts: AppParts) =>
		change(parts.view, ({range}) => ({range: presetBeside(range, -1), back: 0})),
	'day-before'(parts: AppParts) {
		const {usage, people} = parts.stores.organization.getState();
		const range =
			isUsers(parts.view) || parts.view.getState().organization.tab === 'people'
				? people.data?.range
				: usage.data?.now.range;
		const {back} = parts.view.getState().organization;
		if (!range) notify(parts.actions, 'info', strings.notRead);
		else if (back >= dayCount(range) - 1) notify(parts.actions, 'info', strings.firstDay);
		else change(parts.view, () => ({back: back + 1}));
	},
	'day-after'(parts: AppParts) {
		const {back} = parts.view.getState().organization;
		if (back > 0) change(parts.view, () => ({back: back - 1}));
		else notify(parts.actions, 'info', strings.lastDay);
	},
	'people-group': (parts: AppParts) =>
		change(parts.view, ({group, userGroup}) =>
			isUsers(parts.view) ? {userGroup: nextOf(userGroups, userGroup)} : {group: nextOf(peopleGroups, group)},
		),
	sort: (parts: AppParts) =>
		change(parts.view, ({order, userOrder}) => {
			const nextUser = nextOf(userOrders, userOrder);
			if (isUsers(parts.view)) return {userOrder: nextUser, isUserAscending: nextUser === 'email'};
			const next = nextOf(peopleOrders, order);
			return {order: next, isAscending: next === 'user_email'};
		}),
	'reverse-sort': (parts: AppParts) =>
		change(parts.view, ({isAscending, isUserAscending}) =>
			isUsers(parts.view) ? {isUserAscending: !isUserAscending} : {isAscending: !isAscending},
		),
	'open-row'(parts: AppParts) {
		const {page} = parts.screen;
		const id = page?.idOf?.(page.index);
		const {page: name} = parts.view.getState();
		if (id === undefined) notify(parts.actions, 'info', strings.nothingToOpen);
		else change(parts.view, ({opened}) => ({opened: {...opened, [name]: id}, report: 0, compared: 0}));
	},
	'filter-page': (parts: AppParts) => setView(parts.view, view => ({...view, isFiltering: true})),
	'controls-tab'(parts: AppParts) {
		setView(parts.view, view => {
			const reading = closed(view.organization, 'controls');
			return {...view, organization: {...reading, showsInForce: !reading.showsInForce}};
		});
	},
	'readiness-tab': (parts: AppParts) =>
		change(parts.view, ({showsCriteria}) => ({showsCriteria: !showsCriteria})),
	'compare-report'(parts: AppParts) {
		const count = reportCount(parts) - parts.view.getState().organization.report;
		if (count > 1) change(parts.view, ({compared}) => ({compared: (compared + 1) % count}));
		else notify(parts.actions, 'info', strings.nothingToCompare);
	},
	'older-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report + 1 < reportCount(parts)) change(parts.view, () => ({report: report + 1, compared: 0}));
		else notify(parts.actions, 'info', strings.oldestReport);
	},
	'newer-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report > 0) change(parts.view, () => ({report: report - 1, compared: 0}));
		else notify(parts.actions, 'info', strings.newestReport);
	},
	'read-again': (parts: AppParts) => change(parts.view, ({asked}) => ({asked: asked + 1})),
};

/** Number of reports of the open repository. */
function reportCount({view, stores}: Parts<'view' | 'stores'>): number {
	const {opened} = view.getState().organization;
	const {data} = stores.organization.getState().readiness;
	return data?.find(({key}) => key === opened.readiness)?.reports.length ?? 0;
}

function isUsers(view: ViewStore): boolean {
	return view.getState().page === 'users';
}

function showTab(view: ViewStore, tab: UsageTab): void {
	setView(view, now => ({...now, organization: {...closed(now.organization, 'usage'), tab}}));
}

function change(view: ViewStore, next: (reading: OrganizationReading) => Partial<OrganizationReading>): void {
	setView(view, now => withOrganization(now, next(now.organization)));
}

/** Goes back one step: closes what is open, then clears the filter, then returns to Work. */
export function leavePage(view: ViewStore): void {
	setView(view, now => {
		const {page, organization} = now;
		if (organization.opened[page] !== undefined) return {...now, organization: closed(organization, page)};
		if (organization.words[page]) return withOrganization(now, {words: {...organization.words, [page]: ''}});
		return {...now, page: 'work'};
	});
}
