import type {ListedUser} from '../../domain/organization/user.ts';
import {type JoinedUsers, joinedUsers, userRows} from '../../state/joined-users.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading, UserGroup} from '../../state/organization-reading.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {type UserUsage, userColumns, usersTable} from '../../text/values/user-columns.ts';
import {figures, filterWords, groupFigure, type Page, type PageSize, rangeSpans} from './page.ts';
import {listPage, widestOf} from './page-columns.ts';
import {userPage} from './user-page.ts';

/** The Users view: the organization's users with their usage in a range, or one user. */
export function usersPage(
	organization: Organization,
	reading: OrganizationReading,
	size: PageSize,
	now: number,
): Page | undefined {
	const joined = joinedUsers(organization);
	if (!joined) return undefined;
	const {words, opened} = reading;
	const title: Line = [span(safe`Users`, 'heading')];
	const range = joined.usage ? rangeSpans(joined.usage.range, safe`usage of `) : [];
	const open = joined.users.findIndex(({id}) => id === opened.users);
	if (open >= 0) {
		const one = userPage(organization, joined, open, reading.back, size, now);
		return {...one, title: [...title, span(safe` › `, 'dim'), ...one.title, ...range]};
	}
	return usersList(joined, reading, size, [...title, ...filterWords(words.users), ...range], now);
}

function usersList(
	joined: JoinedUsers,
	{words, userOrder: order, isUserAscending, userGroup}: OrganizationReading,
	{width}: PageSize,
	title: Line,
	now: number,
): Page {
	const {users, usage} = joined;
	const groups = groupsOf(joined);
	const group = groups.find(({name}) => name === userGroup);
	const rows = userRows(joined, {
		order,
		direction: isUserAscending ? 'ascending' : 'descending',
		words: words.users ?? '',
		...(group && {group}),
	});
	const usageAt = usageOf(joined);
	const mark = isUserAscending ? safe`▲` : safe`▼`;
	return listPage<number>({
		columns: screenColumns.map(({title, text, cell, ...column}) => ({
			...column,
			title: column.order === order ? safe`${title}${mark}` : title,
			...(text && {wanted: widestOf(users, text)}),
			cell: user => cell(users[user] as ListedUser, usageAt?.(user), now),
		})),
		rows,
		width,
		idOf: user => users[user]?.id,
		title,
		head: [
			figures(
				groups.flatMap(({name, count, label}): Line[] => {
					const isShown = name === userGroup;
					// Missing usage is reported below; don't repeat it per group.
					return count === undefined && !isShown ? [] : [groupFigure(count, label, isShown)];
				}),
			),
			[],
		],
		data: () => ({
			name: userGroup === 'all' ? 'users' : `users-${userGroup}`,
			...(usage && {range: usage.range}),
			selection: {
				view: 'users',
				group: userGroup,
				filter: words.users ?? '',
				order,
				direction: isUserAscending ? 'ascending' : 'descending',
			},
			tables: [usersTable('users', users, rows, usageAt)],
		}),
		empty: emptyText(joined, words.users, userGroup),
	});
}

/** The columns of the list, from the left. */
const screenColumns = userColumns
	.flatMap(({screen}) => (screen ? [screen] : []))
	.sort((a, b) => a.rank - b.rank);

function emptyText({users, usage}: JoinedUsers, words: string | undefined, group: UserGroup): Safe {
	if (users.length === 0) return safe`The service lists no users`;
	if (words) return safe`No matches`;
	if (usage === undefined && group !== 'never') return safe`User activity has not been read yet`;
	return safe`Nobody in this group`;
}

type Group = {
	readonly name: UserGroup;
	/** Undefined while usage is unknown. */
	readonly count: number | undefined;
	readonly label: Safe;
	readonly has: (user: number) => boolean;
};

function groupsOf({users, usage}: JoinedUsers): readonly Group[] {
	const membership = usage?.membership;
	const joined = new Set(membership?.joined);
	const isNever = (user: number) => users[user]?.lastSignInAt === undefined;
	return [
		{name: 'all', count: users.length, label: users.length === 1 ? safe`user` : safe`users`, has: () => true},
		{
			name: 'active',
			count: membership?.active.length,
			label: safe`active`,
			has: user => membership?.isActive(user) ?? false,
		},
		{
			name: 'inactive',
			count: membership?.inactive.length,
			label: safe`inactive`,
			has: user => membership !== undefined && !membership.isActive(user),
		},
		{name: 'new', count: membership?.joined.length, label: safe`new`, has: user => joined.has(user)},
		{
			name: 'never',
			count: users.reduce((sum, _, user) => sum + Number(isNever(user)), 0),
			label: safe`without sign-in`,
			has: isNever,
		},
	];
}

/** Returns a lookup of each user's usage for the export data; a user without rows did nothing. */
export function usageOf({usage}: JoinedUsers): ((user: number) => UserUsage) | undefined {
	if (!usage) return undefined;
	const {people, membership} = usage;
	return user => {
		const person = membership.personOf(user);
		if (person === undefined) return {activeDays: 0, credits: 0, sessions: 0};
		return {
			lastDay: people.people[person]?.lastDay,
			activeDays: people.people[person]?.activeDays,
			credits: people.total(person, 'billable_tokens'),
			sessions: people.total(person, 'sessions'),
		};
	};
}
