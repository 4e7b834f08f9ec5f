import {refresh} from '../actions/context.ts';
import {exportToClipboard} from '../actions/export-page.ts';
import {notify} from '../actions/notify.ts';
import type {ExportPage} from '../domain/export-tables/export-table.ts';
import {chosenRange, dayCount, lastDayAt, presetBeside} from '../domain/usage/range.ts';
import {userOrders} from '../state/organization/joined-users.ts';
import {
	nextComparison,
	type OrganizationViewState,
	peopleGroups,
	peopleOrders,
	reportCount,
	type UsageTab,
	usageTabs,
	userGroups,
	withClosed,
} from '../state/organization/organization-view-state.ts';
import {setView, type ViewStore, withOrganization} from '../state/view/view.ts';
import {nextOf} from '../state/view/view-states.ts';
import {openFormDialog} from './dialogs/form/open-form-dialog.ts';
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
		change(parts.view, ({range}) => ({range: presetBeside(range, 1), daysBack: 0})),
	'shorter-range': (parts: AppParts) =>
		change(parts.view, ({range}) => ({range: presetBeside(range, -1), daysBack: 0})),
	'day-before'(parts: AppParts) {
		const {usage, people} = parts.stores.organization.getState();
		const range =
			isUsers(parts.view) || parts.view.getState().organization.tab === 'people'
				? people.data?.range
				: usage.data?.now.range;
		const {daysBack: back} = parts.view.getState().organization;
		if (!range) notify(parts.actions, 'info', strings.notRead);
		else if (back >= dayCount(range) - 1) notify(parts.actions, 'info', strings.firstDay);
		else change(parts.view, () => ({daysBack: back + 1}));
	},
	'day-after'(parts: AppParts) {
		const {daysBack: back} = parts.view.getState().organization;
		if (back > 0) change(parts.view, () => ({daysBack: back - 1}));
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
			const viewState = withClosed(view.organization, 'controls');
			return {...view, organization: {...viewState, showsInForce: !viewState.showsInForce}};
		});
	},
	'readiness-tab': (parts: AppParts) =>
		change(parts.view, ({showsCriteria}) => ({showsCriteria: !showsCriteria})),
	'compare-report'(parts: AppParts) {
		const next = nextComparison(parts.view.getState().organization, openReportCount(parts));
		if (next) change(parts.view, ({compared}) => ({compared: next === 'end' ? 0 : compared + 1}));
		else notify(parts.actions, 'info', strings.nothingToCompare);
	},
	'older-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report + 1 < openReportCount(parts)) change(parts.view, () => ({report: report + 1, compared: 0}));
		else notify(parts.actions, 'info', strings.oldestReport);
	},
	'newer-report'(parts: AppParts) {
		const {report} = parts.view.getState().organization;
		if (report > 0) change(parts.view, () => ({report: report - 1, compared: 0}));
		else notify(parts.actions, 'info', strings.newestReport);
	},
	'read-again'(parts: AppParts) {
		change(parts.view, ({refreshCount}) => ({refreshCount: refreshCount + 1}));
		// Reads wait for the next try, which is the user's to make.
		if (parts.stores.connection.getState().state === 'offline') refresh(parts.actions);
	},
	'export-page'(parts: AppParts) {
		const data = shownData(parts);
		if (data) openFormDialog(parts, {name: 'export', data, folder: process.cwd()});
	},
	'copy-page'(parts: AppParts) {
		const data = shownData(parts);
		if (!data) return;
		const [table] = data.tables;
		// On a list page, copy only the cursor's table: the others can be a thousand times as long.
		const isList = parts.screen.page?.idOf !== undefined || data.tables.length === 1;
		void exportToClipboard(parts.actions, {data, format: 'csv', ...(isList && table && {table})});
	},
	'free-range'(parts: AppParts) {
		const {clock, stores} = parts.actions;
		const {skew = 0} = stores.connection.getState();
		const lastDay = lastDayAt(clock.now() + skew);
		const range = chosenRange(parts.view.getState().organization.range, lastDay);
		openFormDialog(parts, {name: 'days', range, lastDay});
	},
};

/** The export data of the page on screen; notifies the user when there is none. */
function shownData({screen, actions}: Parts<'screen' | 'actions'>): ExportPage | undefined {
	const data = screen.page?.data?.();
	if (data?.tables.some(({count}) => count > 0)) return data;
	notify(actions, 'info', strings.nothingToExport);
	return undefined;
}

function openReportCount({view, stores}: Parts<'view' | 'stores'>): number {
	return reportCount(view.getState().organization, stores.organization.getState().readiness.data);
}

function isUsers(view: ViewStore): boolean {
	return view.getState().page === 'users';
}

function showTab(view: ViewStore, tab: UsageTab): void {
	setView(view, now => ({...now, organization: {...withClosed(now.organization, 'usage'), tab}}));
}

function change(
	view: ViewStore,
	next: (viewState: OrganizationViewState) => Partial<OrganizationViewState>,
): void {
	setView(view, now => withOrganization(now, next(now.organization)));
}

/** Goes back one step: closes what is open, then clears the filter, then returns to Work. */
export function leavePage(view: ViewStore): void {
	setView(view, now => {
		const {page, organization} = now;
		if (organization.opened[page] !== undefined)
			return {...now, organization: withClosed(organization, page)};
		if (organization.filters[page])
			return withOrganization(now, {filters: {...organization.filters, [page]: ''}});
		return {...now, page: 'work'};
	});
}
