import {createExportTable, type ExportTable} from '../../domain/export-tables/export-table.ts';
import type {ListedUser} from '../../domain/organization/user.ts';
import {joinedUsers} from '../../state/organization/joined-users.ts';
import type {Organization, PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState, PeopleGroup} from '../../state/organization/organization-view-state.ts';
import {peopleColumns, userOf} from '../../state/organization/people-columns.ts';
import {dayText, listedUserColumns, type UserRow, usersTable} from '../../state/organization/user-columns.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {activePeople, widestOfPeople} from './active-people.ts';
import {listPage} from './list-page.ts';
import {figures, groupFigure, type Page, type PageSize, wordMatcher} from './page.ts';
import {strings} from './strings.ts';
import {widestOfUsers} from './users-page.ts';

const text = strings.people;

/**
 * The People tab: a sortable table of active people with a daily heat map, or a list of the inactive, new or
 * unlisted.
 */
export function peopleTab(
	organization: Organization,
	data: PeopleData,
	viewState: OrganizationViewState,
	size: PageSize,
): Page {
	const {people} = data;
	const {group} = viewState.people;
	const membership = joinedUsers(organization)?.usage?.membership;
	const groups: readonly (readonly [PeopleGroup, number | undefined, Safe])[] = [
		['active', people.knownDays > 0 ? people.activeCount : undefined, text.active],
		['inactive', membership?.inactive?.length, text.inactive],
		['new', membership?.joined.length, text.new],
		['unlisted', membership?.unlisted?.length, text.unlisted],
	];
	const head: Line[] = [
		figures(groups.map(([name, count, label]) => groupFigure(count, label, name === group))),
		[],
	];
	if (group === 'active') return activePeople(data, viewState, size, head);
	const {filter = ''} = size;
	const isMatch = wordMatcher(filter);
	const isShown = ({id, email = ''}: ListedUser) => isMatch(`${email} ${id}`);
	const unread = membership ? strings.usage.noData : text.usersUnread;
	const context = {width: size.width, now: 0};
	const list = (all: readonly number[] | undefined, empty: Safe, table: ExportTable) => ({
		title: [],
		head,
		data: () => ({
			name: `usage-people-${group}`,
			selection: {group, filter},
			tables: all ? [table] : [],
		}),
		empty: all === undefined ? unread : filter.trim() ? strings.noMatches : empty,
	});
	if (group === 'unlisted') {
		const all = membership?.unlisted;
		const rows = (all ?? []).map(index => ({people, index})).filter(row => isShown(userOf(row)));
		return listPage({
			...list(all, text.noUnlisted, createExportTable('not among the users', unlistedColumns, rows)),
			head: [...head, [span(text.unlistedNote, 'dim')]],
			columns: unlistedColumns,
			context: {...context, order: ''},
			widest: widestOfPeople(people),
			rows,
			idOf: row => userOf(row).id,
		});
	}
	const users = organization.users.data ?? [];
	const all = membership?.[group === 'new' ? 'joined' : 'inactive'];
	const rows = (all ?? [])
		.map((index): UserRow => ({user: users[index] as ListedUser}))
		.filter(({user}) => isShown(user));
	return listPage({
		...list(all, group === 'new' ? text.noNew : text.noInactive, usersTable(group, rows)),
		columns: memberColumns,
		context,
		widest: widestOfUsers(users),
		rows,
		idOf: ({user}) => user.id,
	});
}

const unlistedFields = ['user_id', 'user_email', 'last_day', 'billable_tokens'];
const unlistedColumns = peopleColumns.filter(({name}) => unlistedFields.includes(name));

/** Usage has no time for ages: a day says when somebody signed in. */
const memberColumns = listedUserColumns.map(column =>
	column.name === 'last_sign_in_at'
		? {...column, cell: ({user}: UserRow) => [span(dayText(user.lastSignInAt), 'strong')]}
		: column,
);
