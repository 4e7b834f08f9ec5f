import type {ExportTable} from '../../domain/export-tables/export-table.ts';
import {unlistedTable} from '../../domain/export-tables/people-tables.ts';
import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {joinedUsers} from '../../state/joined-users.ts';
import type {Organization, PeopleData} from '../../state/organization.ts';
import type {OrganizationReading, PeopleGroup} from '../../state/organization-reading.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {dayText, nameCell, userCell, usersTable, userText} from '../../text/values/user-columns.ts';
import {activePeople, figureColumn, personCell, personText} from './active-people.ts';
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
	reading: OrganizationReading,
	size: PageSize,
): Page {
	const membership = joinedUsers(organization)?.usage?.membership;
	const groups: readonly (readonly [PeopleGroup, number | undefined, Safe])[] = [
		['active', data.people.activeCount, text.active],
		['inactive', membership?.inactive.length, text.inactive],
		['new', membership?.joined.length, text.new],
		['unlisted', membership?.unlisted.length, text.unlisted],
	];
	const head: Line[] = [
		figures(groups.map(([group, count, name]) => groupFigure(count, name, group === reading.group))),
		[],
	];
	if (reading.group === 'active') return activePeople(data, reading, size, head);
	if (reading.group === 'unlisted')
		return groupPage(membership?.unlisted, unlistedColumns(data), reading, size, {
			head: [...head, [span(text.unlistedNote, 'dim')]],
			none: text.noUnlisted,
			tableOf: rows => unlistedTable(data.people, rows),
			textOf: person => `${data.people.people[person]?.email ?? ''} ${data.people.people[person]?.userId}`,
			idOf: person => data.people.people[person]?.userId,
		});
	const users = organization.users.data ?? [];
	return groupPage(
		membership?.[reading.group === 'new' ? 'joined' : 'inactive'],
		memberColumns(users),
		reading,
		size,
		{
			head,
			tableOf: rows => usersTable(reading.group, users, rows),
			none: reading.group === 'new' ? text.noNew : text.noInactive,
			textOf: user => `${users[user]?.email ?? ''} ${users[user]?.id}`,
			idOf: user => users[user]?.id,
		},
	);
}

type List = {
	readonly tableOf: (rows: readonly number[]) => ExportTable;
	readonly head: readonly Line[];
	readonly none: Safe;
	readonly textOf: (row: number) => string;
	readonly idOf: (row: number) => string | undefined;
};

/** A list of users or people, by index, filtered by the words. */
function groupPage(
	all: readonly number[] | undefined,
	columns: readonly PageColumn<number>[],
	{words, group}: OrganizationReading,
	{width}: PageSize,
	{head, none, textOf, idOf, tableOf}: List,
): Page {
	const isMatch = wordMatcher(words.usage);
	const rows = (all ?? []).filter(row => isMatch(textOf(row)));
	const unread = text.usersUnread;
	return listPage({
		columns,
		rows,
		width,
		idOf,
		title: [],
		head,
		data: () => ({
			name: `usage-people-${group}`,
			selection: {group, filter: words.usage ?? ''},
			tables: all === undefined ? [] : [tableOf(rows)],
		}),
		empty: all === undefined ? unread : words.usage?.trim() ? strings.noMatches : none,
	});
}

/** Who they are; they have no usage. */
function memberColumns(users: readonly ListedUser[]): readonly PageColumn<number>[] {
	const userOf = (index: number) => users[index] as ListedUser;
	return [
		{title: text.user, width: 30, fullWidth: widestOf(users, userText), cell: user => userCell(userOf(user))},
		{title: text.lastSignIn, width: 12, cell: user => [dayText(userOf(user).lastSignInAt), 'strong']},
		{title: text.joined, width: 10, cell: user => [dayText(userOf(user).createdAt), 'dim']},
		{title: text.name, width: 20, fullWidth: widestOf(users, nameOf), cell: user => nameCell(userOf(user))},
	];
}

function unlistedColumns({people}: PeopleData): readonly PageColumn<number>[] {
	return [
		{
			title: text.user,
			width: 30,
			fullWidth: widestOf(people.people, personText),
			cell: person => personCell(people.people[person]),
		},
		figureColumn(people, 'last_day', 10, 'strong'),
		figureColumn(people, 'billable_tokens', 12),
	];
}
