import type {ExportTable} from '../../domain/export-tables/export-table.ts';
import {unlistedTable} from '../../domain/export-tables/people-tables.ts';
import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {creditPlaces} from '../../domain/usage/person-fields.ts';
import {joinedUsers} from '../../state/organization/joined-users.ts';
import type {Organization, PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState, PeopleGroup} from '../../state/organization/organization-view-state.ts';
import {dayText, nameText, userCell, usersTable, userText} from '../../state/organization/user-columns.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {activePeople} from './active-people.ts';
import {figures, groupFigure, type Page, type PageSize, wordMatcher} from './page.ts';
import {listPage, type PageColumn, widestOf} from './page-columns.ts';
import {strings} from './strings.ts';

const text = strings.people;

/**
 * The People tab: a sortable table of active people with a daily heat map, or a list of the inactive, new or
 * unlisted.
 */
export function peopleTab(
	organization: Pick<Organization, 'users' | 'people'>,
	data: PeopleData,
	viewState: OrganizationViewState,
	size: PageSize,
): Page {
	const {people: all} = data.people;
	const membership = joinedUsers(organization)?.usage?.membership;
	const {activeCount, knownDays} = data.people;
	const groups: readonly (readonly [PeopleGroup, number | undefined, Safe])[] = [
		['active', knownDays > 0 ? activeCount : undefined, text.active],
		['inactive', membership?.inactive?.length, text.inactive],
		['new', membership?.joined.length, text.new],
		['unlisted', membership?.unlisted?.length, text.unlisted],
	];
	const unread = membership ? strings.usage.noData : text.usersUnread;
	const head: Line[] = [
		figures(groups.map(([group, count, name]) => groupFigure(count, name, group === viewState.group))),
		[],
	];
	if (viewState.group === 'active') return activePeople(data, viewState, size, head);
	if (viewState.group === 'unlisted')
		return groupPage(membership?.unlisted, unlistedColumns(data), viewState, size, {
			head: [...head, [span(text.unlistedNote, 'dim')]],
			empty: text.noUnlisted,
			unread,
			tableOf: rows => unlistedTable(data.people, rows),
			textOf: person => `${all[person]?.email ?? ''} ${all[person]?.userId}`,
			idOf: person => all[person]?.userId,
		});
	const users = organization.users.data ?? [];
	return groupPage(
		membership?.[viewState.group === 'new' ? 'joined' : 'inactive'],
		memberColumns(users),
		viewState,
		size,
		{
			head,
			tableOf: rows => usersTable(viewState.group, users, rows),
			empty: viewState.group === 'new' ? text.noNew : text.noInactive,
			unread,
			textOf: user => `${users[user]?.email ?? ''} ${users[user]?.id}`,
			idOf: user => users[user]?.id,
		},
	);
}

type List = Pick<Page, 'head'> & {
	readonly tableOf: (rows: readonly number[]) => ExportTable;
	/** Shown when the group is empty. */
	readonly empty: Safe;
	/** Shown when it is unknown who is in the group. */
	readonly unread: Safe;
	/** What the filter searches. */
	readonly textOf: (row: number) => string;
	readonly idOf: (row: number) => string | undefined;
};

/** A list of users or people, by index, filtered; undefined if unknown. */
function groupPage(
	all: readonly number[] | undefined,
	columns: readonly PageColumn<number>[],
	{filters: {usage: filter = ''}, group}: OrganizationViewState,
	{width}: PageSize,
	{head, empty, unread, textOf, idOf, tableOf}: List,
): Page {
	const isMatch = wordMatcher(filter);
	const rows = (all ?? []).filter(row => isMatch(textOf(row)));
	return listPage({
		columns,
		rows,
		width,
		idOf,
		title: [],
		head,
		data: () => ({
			name: `usage-people-${group}`,
			selection: {group, filter},
			tables: all === undefined ? [] : [tableOf(rows)],
		}),
		empty: all === undefined ? unread : filter.trim() ? strings.noMatches : empty,
	});
}

/** Columns for users without usage. */
function memberColumns(users: readonly ListedUser[]): readonly PageColumn<number>[] {
	const userOf = (index: number) => users[index] as ListedUser;
	return [
		{
			title: text.user,
			width: 30,
			fullWidth: widestOf(users, userText),
			cell: (user, own) => [userCell(userOf(user), own), userOf(user).email === undefined ? 'dim' : 'text'],
		},
		{title: text.lastSignIn, width: 12, cell: user => [dayText(userOf(user).lastSignInAt), 'strong']},
		{title: text.joined, width: 10, cell: user => [dayText(userOf(user).createdAt), 'dim']},
		{title: text.name, width: 20, fullWidth: widestOf(users, nameOf), cell: user => [nameText(userOf(user))]},
	];
}

function unlistedColumns({people}: PeopleData): readonly PageColumn<number>[] {
	const userOf = (index: number) => {
		const {userId = '', email} = people.people[index] ?? {};
		return {id: userId, ...(email !== undefined && {email})};
	};
	return [
		{
			title: text.user,
			width: 30,
			fullWidth: widestOf(people.people, ({userId, email}) => email ?? userId),
			cell: (person, own) => [
				userCell(userOf(person), own),
				userOf(person).email === undefined ? 'dim' : 'text',
			],
		},
		{
			title: text.lastDay,
			width: 10,
			cell: person => [cleanLine(people.people[person]?.lastDay ?? '-'), 'strong'],
		},
		{
			title: text.credits,
			width: 12,
			isNumber: true,
			places: creditPlaces(people),
			cell: person => [exactNumber(people.total(person, 'billable_tokens')), 'text'],
		},
	];
}
