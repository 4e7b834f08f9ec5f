import {refresh} from '../../actions/context.ts';
import {exportToClipboard} from '../../actions/export-page.ts';
import {notify} from '../../actions/notify.ts';
import type {ExportPage} from '../../domain/export-table.ts';
import {ownEntry} from '../../domain/objects.ts';
import {
	chosenRange,
	dayCount,
	isSameChoice,
	lastDayAt,
	monthBefore,
	presetBeside,
	todayOffer,
} from '../../domain/usage/range.ts';
import {isUnknown} from '../../state/organization/day-columns.ts';
import {
	type OrganizationViewState,
	pageKey,
	peopleGroups,
	type UsageTab,
	usageTabs,
	userGroups,
	withClosed,
} from '../../state/organization/organization-view-state.ts';
import {
	filterOf,
	setView,
	type View,
	type ViewStore,
	withFiltering,
	withOrganization,
	withoutFilter,
} from '../../state/view/view.ts';
import {nextOf, type TableName} from '../../state/view/view-states.ts';
import {choosesColumns, openColumns} from '../dialogs/columns-dialog.tsx';
import {daysForm} from '../dialogs/form/days-form.ts';
import {exportForm} from '../dialogs/form/export-form.ts';
import {openForm} from '../dialogs/form/open-form.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now} from '../keys/binding.ts';
import {unlessEmpty, whenDown} from '../keys/reasons.ts';
import {halfPage, type Move} from '../kit/scroll.ts';
import type {AppParts} from '../use-app.ts';

/** Whether the service has data for the days on the screen; true before they are read. */
const hasDays = ({parts, view}: Now): Enabled => {
	const {usage, people} = parts.stores.organization.getState();
	const {page, organization} = view;
	const isOfPeople = page === 'users' || (page === 'usage' && organization.tab === 'people');
	const isWithout = isOfPeople
		? people.data?.people.knownDays === 0
		: page === 'usage' && usage.data !== undefined && isUnknown(usage.data.now, organization.tab);
	return !isWithout || 'No usage data for these days';
};

/** Whether the view's list has nothing to open or to filter. */
const isListEmpty = ({parts, view}: Now): boolean => {
	const {page} = view;
	if (filterOf(view) !== '') return false;
	const {people, ...lists} = parts.stores.organization.getState();
	if (page === 'usage') return people.data?.people.activeCount === 0;
	return (page === 'readiness' || page === 'controls' || page === 'users') && lists[page].data?.length === 0;
};

const unlessNone = unlessEmpty(isListEmpty);

/** What was read for the page; undefined for a page inside another. */
function readFor({page, organization}: View, {stores}: Pick<AppParts, 'stores'>) {
	const name = page === 'usage' && organization.tab === 'people' ? 'people' : page;
	return ownEntry(stores.organization.getState(), name);
}

/** Whether the page has nothing to export, or not yet. */
const isWithoutData = (now: Now): boolean => {
	const read = readFor(now.view, now.parts);
	return isListEmpty(now) || hasDays(now) !== true || (read !== undefined && read.data === undefined);
};

const tabKeys: Readonly<Record<UsageTab, readonly [key: string, title: string]>> = {
	credits: ['c', 'Credits: by day, model and user'],
	adoption: ['a', 'Adoption: who is active, and where'],
	autonomy: ['u', 'Autonomy: how much is delegated'],
	output: ['o', 'Output: what is produced, and its cost'],
	tools: ['t', 'Tools, MCP servers, skills, hooks'],
	people: ['p', 'People, day by day'],
};

/** The table on screen that the user can order; the other lists have an order of their own. */
export function orderedTable({page, organization: {showsCriteria}}: View): TableName | undefined {
	if (page === 'users') return 'users';
	if (page === 'readiness') return showsCriteria ? undefined : 'readiness';
	return 'people';
}

const ordersTable = {
	...choosesColumns,
	keys: ['s'],
	...unlessNone,
	isEnabled: ({view}: Now): Enabled => orderedTable(view) !== undefined || 'The order of this list is fixed',
	run(parts: AppParts) {
		const table = orderedTable(parts.view.getState());
		if (table) openColumns(parts, table);
	},
};

/** Keys of the organization views: usage, readiness, controls and users. */
export const organizationBindings = bindingsOf([
	...bindingsIn(
		{contexts: ['usage']},
		usageTabs.map(tab => {
			const [key, title] = tabKeys[tab];
			return {
				action: `tab-${tab}` as const,
				keys: [key],
				title,
				run: ({view}: AppParts) => showTab(view, tab),
			};
		}),
	),
	...bindingsIn({contexts: ['usage']}, [
		{
			action: 'next-tab',
			keys: ['tab'],
			title: 'Next tab',
			hint: 'tab',
			run: parts => change(parts.view, ({tab}) => ({tab: nextOf(usageTabs, tab)})),
		},
		{
			action: 'previous-tab',
			keys: ['shift+tab'],
			title: 'Previous tab',
			run: parts => change(parts.view, ({tab}) => ({tab: nextOf(usageTabs, tab, -1)})),
		},
	]),
	...bindingsIn({contexts: ['usage', 'users']}, [
		{
			action: 'longer-range',
			keys: ['>', '.'],
			title: 'More days: 7, 14, 30, 90, all',
			hint: 'longer',
			run: parts => change(parts.view, ({range}) => ({range: presetBeside(range, 1), daysBack: 0})),
		},
		{
			action: 'shorter-range',
			keys: ['<', ','],
			title: 'Fewer days',
			run: parts => change(parts.view, ({range}) => ({range: presetBeside(range, -1), daysBack: 0})),
		},
		{
			action: 'month-range',
			keys: ['m'],
			title: 'This month, then the months before it',
			findBy: 'last month calendar',
			hint: 'month',
			run(parts) {
				const lastDay = lastDayOf(parts);
				change(parts.view, ({range}) => ({range: monthBefore(range, lastDay), daysBack: 0}));
			},
		},
	]),
	...bindingsIn({contexts: ['usage', 'users'], isEnabled: hasDays}, [
		{
			action: 'day-before',
			keys: ['left', 'h'],
			title: 'Previous day, with its exact values',
			hint: 'day',
			run(parts) {
				const {usage, people} = parts.stores.organization.getState();
				const range =
					isUsers(parts.view) || parts.view.getState().organization.tab === 'people'
						? people.data?.range
						: usage.data?.now.range;
				const {daysBack: back} = parts.view.getState().organization;
				if (!range) notify(parts.actions, 'info', 'Nothing has been read yet');
				else if (back >= dayCount(range) - 1) notify(parts.actions, 'info', 'This is the first day');
				else change(parts.view, () => ({daysBack: back + 1}));
			},
		},
		{
			action: 'day-after',
			keys: ['right', 'l'],
			title: 'Next day',
			run(parts) {
				const {daysBack: back} = parts.view.getState().organization;
				if (back > 0) change(parts.view, () => ({daysBack: back - 1}));
				else notify(parts.actions, 'info', 'This is the last day');
			},
		},
	]),
	{
		action: 'people-group',
		keys: ['f'],
		title: 'Next group: active, inactive, new or not in the user list',
		hint: 'group',
		contexts: ['people'],
		run: nextGroup,
	},
	{...ordersTable, contexts: ['people']},
	{
		action: 'open-row',
		keys: ['enter'],
		title: 'Open the selected item',
		hint: 'open',
		...unlessNone,
		contexts: ['opening'],
		run(parts) {
			const {page} = parts.screen;
			const id = page?.idOf?.(page.index);
			const {page: name} = parts.view.getState();
			if (id === undefined) notify(parts.actions, 'info', 'Nothing to open here');
			else
				change(parts.view, ({opened}) => ({
					opened: {...opened, [name]: id},
					report: 0,
					comparesReports: false,
				}));
		},
	},
	{
		action: 'filter',
		keys: ['/'],
		title: 'Filter the list',
		hint: 'filter',
		...unlessNone,
		contexts: ['pages'],
		run: parts => setView(parts.view, withFiltering),
	},
	{
		action: 'controls-tab',
		keys: ['tab'],
		title: 'Current settings, or their history',
		hint: 'current',
		hintNow: ({view}) => (view.organization.showsInForce ? 'history' : undefined),
		contexts: ['controls'],
		run(parts) {
			setView(parts.view, view => {
				const viewState = withClosed(view.organization, 'controls');
				return {...view, organization: {...viewState, showsInForce: !viewState.showsInForce}};
			});
		},
	},
	{
		action: 'readiness-tab',
		keys: ['tab'],
		title: 'Repositories, or criteria across them',
		hint: 'criteria',
		hintNow: ({view}) => (view.organization.showsCriteria ? 'reports' : undefined),
		contexts: ['readiness'],
		run: parts => change(parts.view, ({showsCriteria}) => ({showsCriteria: !showsCriteria})),
	},
	...bindingsIn({contexts: ['report']}, [
		{
			action: 'compare-report',
			keys: ['v'],
			title: 'Compare with the previous report',
			hint: 'compare',
			hintNow({parts, view}) {
				if (!hasOlderReport(parts)) return '';
				return view.organization.comparesReports ? 'end comparison' : undefined;
			},
			run(parts) {
				if (hasOlderReport(parts))
					change(parts.view, ({comparesReports}) => ({comparesReports: !comparesReports}));
				else notify(parts.actions, 'info', 'This repository has no earlier report to compare with');
			},
		},
		{
			action: 'older-report',
			keys: ['left', 'h'],
			title: 'Previous report',
			hint: 'older',
			hintNow: ({parts}) => (hasOlderReport(parts) ? undefined : ''),
			run(parts) {
				if (hasOlderReport(parts)) change(parts.view, ({report}) => ({report: report + 1}));
				else notify(parts.actions, 'info', "This is the repository's oldest report");
			},
		},
		{
			action: 'newer-report',
			keys: ['right', 'l'],
			title: 'Next report',
			run(parts) {
				const {report} = parts.view.getState().organization;
				if (report > 0) change(parts.view, () => ({report: report - 1}));
				else notify(parts.actions, 'info', "This is the repository's newest report");
			},
		},
	]),
	{
		action: 'read-again',
		keys: ['r'],
		title: 'Refresh; while the service is offline, try again now',
		findBy: 'reconnect retry',
		hint: 'refresh',
		...whenDown('try again'),
		contexts: ['organization'],
		run(parts) {
			change(parts.view, ({refreshCount}) => ({refreshCount: refreshCount + 1}));
			// Reads wait for the next try, which is the user's to make.
			if (parts.stores.connection.getState().state === 'offline') refresh(parts.actions);
		},
	},
	...bindingsIn({contexts: ['organization']}, [
		{
			action: 'export',
			keys: ['x'],
			title: 'Export what is shown, as CSV or JSON',
			findBy: 'file clipboard',
			hint: 'export',
			...unlessEmpty(isWithoutData),
			run(parts) {
				const data = shownData(parts);
				if (data) openForm(parts, exportForm(data));
			},
		},
		{
			action: 'copy-page',
			keys: ['y'],
			title: "Copy the list or the page's tables as CSV",
			run(parts) {
				const data = shownData(parts);
				if (!data) return;
				const [table] = data.tables;
				// On a list page, copy only the cursor's table: the others can be a thousand times as long.
				const isList = parts.screen.page?.idOf !== undefined || data.tables.length === 1;
				void exportToClipboard(parts.actions, {data, format: 'csv', table: isList ? table : undefined});
			},
		},
	]),
	// A narrow footer has room for the export first.
	{...ordersTable, contexts: ['readiness']},
	{
		action: 'free-range',
		keys: ['d'],
		title: 'Choose a date range',
		hint: 'days',
		contexts: ['usage', 'users'],
		run(parts) {
			const lastDay = lastDayOf(parts);
			const range = chosenRange(parts.view.getState().organization.range, lastDay);
			openForm(parts, daysForm(range, lastDay));
		},
	},
]);

/** The last day with data, by the service's clock. */
function lastDayOf({actions: {clock, stores}}: AppParts): string {
	const {skew = 0, embedded} = stores.connection.getState();
	return lastDayAt(clock.now() + skew, embedded?.offers.includes(todayOffer));
}

/** The export data of the page on screen, without empty tables; notifies the user when there is none. */
function shownData({screen, actions, view, stores}: AppParts): ExportPage | undefined {
	const {organization} = view.getState();
	const shown = readFor(view.getState(), {stores});
	// Other days have been chosen, and are being read.
	const isOld = shown?.data && 'choice' in shown.data && !isSameChoice(shown.data.choice, organization.range);
	const data = isOld ? undefined : screen.page?.data?.();
	const tables = data?.tables.filter(({count}) => count > 0) ?? [];
	if (data && tables.length > 0) return {...data, tables};
	const isReading = isOld || (shown !== undefined && shown.data === undefined && shown.problem === undefined);
	notify(actions, 'info', isReading ? 'Still reading' : 'Nothing to export');
	return undefined;
}

/** Whether the open repository has an older report than the one that is shown. */
function hasOlderReport({view, stores}: Pick<AppParts, 'view' | 'stores'>): boolean {
	const {opened, report} = view.getState().organization;
	const open = stores.organization.getState().readiness.data?.find(({key}) => key === opened.readiness);
	return report + 1 < (open?.reports.length ?? 0);
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

/** Shows the next group of the people that are listed: in the Usage view, or in the Users view. */
function nextGroup({view}: AppParts): void {
	change(view, ({people, users}) =>
		isUsers(view)
			? {users: {...users, group: nextOf(userGroups, users.group)}}
			: {people: {...people, group: nextOf(peopleGroups, people.group)}},
	);
}

/** Goes back one step: closes what is open, then clears the filter, then returns to Work. */
export function leavePage(view: ViewStore): void {
	setView(view, now => {
		const {page, organization} = now;
		if (organization.opened[page] !== undefined)
			return {...now, organization: withClosed(organization, page)};
		return withoutFilter(now);
	});
}

/** Moves the cursor of an organization page, as the last frame drew it. */
export function scrollPage(parts: AppParts, {kind, by}: Move): void {
	const {page} = parts.screen;
	if (!page) return;
	const step = kind === 'step' ? 1 : kind === 'page' ? halfPage(page.height) : page.count;
	movePageCursor(parts, page.index + by * step);
}

/** Moves the cursor to a row of the page by index, clamped to the list. */
export function movePageCursor({view, screen}: AppParts, to: number): void {
	const {page} = screen;
	if (!page) return;
	const index = Math.max(0, Math.min(page.count - 1, to));
	// Several steps may come before the next frame.
	screen.page = {...page, index};
	const id = page.idOf?.(index);
	setView(view, now => {
		const key = pageKey(now.page, now.organization);
		const cursor = {index, id};
		return withOrganization(now, {cursors: {...now.organization.cursors, [key]: cursor}});
	});
}
