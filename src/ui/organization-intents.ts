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
import {withOrganization} from '../state/view.ts';
import {setView} from './set-view.ts';
import {strings as allStrings} from './strings.ts';
import type {AppParts} from './use-app.ts';

const strings = allStrings.organization;

/** Intents of the organization's views. */
export const organizationIntents = {
	'tab-credits': (parts: AppParts) => showTab(parts, 'credits'),
	'tab-adoption': (parts: AppParts) => showTab(parts, 'adoption'),
	'tab-autonomy': (parts: AppParts) => showTab(parts, 'autonomy'),
	'tab-output': (parts: AppParts) => showTab(parts, 'output'),
	'tab-tools': (parts: AppParts) => showTab(parts, 'tools'),
	'tab-people': (parts: AppParts) => showTab(parts, 'people'),
	'next-tab': (parts: AppParts) => change(parts, ({tab}) => ({tab: nextOf(usageTabs, tab)})),
	'previous-tab': (parts: AppParts) => change(parts, ({tab}) => ({tab: nextOf(usageTabs, tab, -1)})),
	'longer-range': (parts: AppParts) => change(parts, ({range}) => ({range: presetBeside(range, 1), back: 0})),
	'shorter-range': (parts: AppParts) =>
		change(parts, ({range}) => ({range: presetBeside(range, -1), back: 0})),
	'day-before'(parts: AppParts) {
		const {usage, people} = parts.stores.organization.getState();
		const range =
			isUsers(parts) || parts.view.getState().organization.tab === 'people'
				? people.data?.range
				: usage.data?.now.range;
		const {back} = parts.view.getState().organization;
		if (!range) notify(parts.actions, 'info', strings.notRead);
		else if (back >= dayCount(range) - 1) notify(parts.actions, 'info', strings.firstDay);
		else change(parts, () => ({back: back + 1}));
	},
	'day-after'(parts: AppParts) {
		const {back} = parts.view.getState().organization;
		if (back > 0) change(parts, () => ({back: back - 1}));
		else notify(parts.actions, 'info', strings.lastDay);
	},
	'people-group': (parts: AppParts) =>
		change(parts, ({group, userGroup}) =>
			isUsers(parts) ? {userGroup: nextOf(userGroups, userGroup)} : {group: nextOf(peopleGroups, group)},
		),
	sort: (parts: AppParts) =>
		change(parts, ({order, userOrder}) => {
			const nextUser = nextOf(userOrders, userOrder);
			if (isUsers(parts)) return {userOrder: nextUser, isUserAscending: nextUser === 'email'};
			const next = nextOf(peopleOrders, order);
			return {order: next, isAscending: next === 'user_email'};
		}),
	'reverse-sort': (parts: AppParts) =>
		change(parts, ({isAscending, isUserAscending}) =>
			isUsers(parts) ? {isUserAscending: !isUserAscending} : {isAscending: !isAscending},
		),
	'open-row'(parts: AppParts) {
		const {page} = parts.screen;
		const id = page?.idOf?.(page.index);
		const {page: name} = parts.view.getState();
		if (id === undefined) notify(parts.actions, 'info', strings.nothingToOpen);
		else change(parts, ({opened}) => ({opened: {...opened, [name]: id}, report: 0, compared: 0}));
	},
	'filter-page': (parts: AppParts) => setView(parts.view, view => ({...view, isFiltering: true})),
	'controls-tab'(parts: AppParts) {
		setView(parts.view, view => {
			const reading = closed(view.organization, 'controls');
			return {...view, organization: {...reading, showsInForce: !reading.showsInForce}};
		});
	},
	'readiness-tab': (parts: AppParts) => change(parts, ({showsCriteria}) => ({showsCriteria: !showsCriteria})),
	'compare-report'(parts: AppParts) {
		const count = reportCount(parts) - parts.view.getState().organization.report;
		if (count > 1) change(parts, ({compared}) => ({compared: (compared + 1) % count}));
		else notify(parts.actions, 'info', strings.nothingToCompare);
	},
	'older-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report + 1 < reportCount(parts)) change(parts, () => ({report: report + 1, compared: 0}));
		else notify(parts.actions, 'info', strings.oldestReport);
	},
	'newer-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report > 0) change(parts, () => ({report: report - 1, compared: 0}));
		else notify(parts.actions, 'info', strings.newestReport);
	},
	'read-again': (parts: AppParts) => change(parts, ({asked}) => ({asked: asked + 1})),
};

/** Number of reports of the open repository. */
function reportCount({view, stores}: AppParts): number {
	const {opened} = view.getState().organization;
	const {data} = stores.organization.getState().readiness;
	return data?.find(({key}) => key === opened.readiness)?.reports.length ?? 0;
}

function isUsers({view}: AppParts): boolean {
	return view.getState().page === 'users';
}

function showTab(parts: AppParts, tab: UsageTab): void {
	setView(parts.view, view => ({...view, organization: {...closed(view.organization, 'usage'), tab}}));
}

function change(parts: AppParts, next: (reading: OrganizationReading) => Partial<OrganizationReading>): void {
	setView(parts.view, view => withOrganization(view, next(view.organization)));
}

/** Goes back one step: closes what is open, then clears the filter, then returns to Work. */
export function leavePage(parts: AppParts): void {
	setView(parts.view, view => {
		const {page, organization} = view;
		if (organization.opened[page] !== undefined) return {...view, organization: closed(organization, page)};
		if (organization.words[page]) return withOrganization(view, {words: {...organization.words, [page]: ''}});
		return {...view, page: 'work'};
	});
}
