import {type UserUsage, usersTable} from '../../domain/export-tables/users-table.ts';
import {nameOf} from '../../domain/organization/user.ts';
import {dayCount} from '../../domain/usage/range.ts';
import {type JoinedUsers, joinedUsers, userRows} from '../../state/joined-users.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading, UserGroup} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import {tableHeading, tableRow} from '../kit/columns.ts';
import {figure, figures, filterWords, type Page, type PageSize} from './page.ts';
import {fitColumns, type PageColumn, widestOf} from './page-columns.ts';
import {dayText, nameCell, userCell, userText} from './user-columns.ts';
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
	const open = joined.users.findIndex(({id}) => id === opened.users);
	if (open >= 0) {
		const one = userPage(organization, joined, open, reading.back, size, now);
		return {...one, title: [...title, span(safe` › `, 'dim'), ...one.title, ...rangeText(joined)]};
	}
	return listPage(joined, reading, size, [...title, ...filterWords(words.users), ...rangeText(joined)], now);
}

/** `  usage of 28 days  2026-10-24 to 2026-11-20 UTC`: the range that usage covers. */
function rangeText({usage}: JoinedUsers): Line {
	if (!usage) return [];
	const {startDate, endDate} = usage.range;
	return [
		span(safe`  usage of ${dayCount(usage.range)} days`, 'strong'),
		span(safe`  ${cleanLine(startDate)} to ${cleanLine(endDate)} UTC`, 'dim'),
	];
}

function listPage(
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
	const columns = fitColumns(columnsOf(joined, order, isUserAscending, now), width);
	return {
		title,
		head: [
			figures(
				groups.flatMap(({name, count, label}): Line[] => {
					const countText = count === undefined ? safe`unknown` : exactNumber(count);
					if (name === userGroup) return [[span(safe`▸ ${countText} ${label}`, 'accent')]];
					// Missing usage is reported below; don't repeat it per group.
					return count === undefined ? [] : [figure(count, label)];
				}),
			),
			[],
		],
		heading: tableHeading(columns),
		count: rows.length,
		idOf: index => users[rows[index] ?? -1]?.id,
		row: index => tableRow(columns, rows[index] ?? -1),
		data: () => ({
			name: userGroup === 'all' ? 'users' : `users-${userGroup}`,
			...(usage && {range: usage.range}),
			facts: {
				view: 'users',
				group: userGroup,
				filter: words.users ?? '',
				order,
				direction: isUserAscending ? 'ascending' : 'descending',
			},
			tables: [usersTable('users', users, rows, usageOf(joined))],
		}),
		empty: [
			[
				span(
					users.length === 0
						? safe`The service lists no users`
						: words.users
							? safe`No matches`
							: usage === undefined && userGroup !== 'never'
								? safe`User activity has not been read yet`
								: safe`Nobody in this group`,
					'dim',
				),
			],
		],
	};
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

function columnsOf(
	{users, usage}: JoinedUsers,
	order: OrganizationReading['userOrder'],
	isAscending: boolean,
	now: number,
): readonly PageColumn<number>[] {
	const mark = isAscending ? safe`▲` : safe`▼`;
	const people = usage?.people;
	const personOf = (user: number) => usage?.membership.personOf(user);
	const total = (user: number, measure: 'billable_tokens' | 'sessions'): readonly [Safe, Tone] => {
		const person = personOf(user);
		if (!people) return [safe`-`, 'dim'];
		return person === undefined ? [safe`0`, 'dim'] : [exactNumber(people.total(person, measure)), 'text'];
	};
	const columns: readonly (PageColumn<number> & {readonly order?: typeof order})[] = [
		{
			title: safe`USER`,
			order: 'email',
			width: 26,
			wanted: widestOf(users, userText),
			cell: user => userCell(users[user]),
		},
		{
			title: safe`LAST SIGN-IN`,
			order: 'lastSignInAt',
			width: 13,
			isNumber: true,
			cell(user) {
				const at = users[user]?.lastSignInAt;
				return at === undefined ? [safe`-`, 'dim'] : [safe`${age(now - at)} ago`, 'strong'];
			},
		},
		{
			title: safe`LAST ACTIVE`,
			order: 'lastDay',
			width: 12,
			cell(user) {
				if (!usage) return [safe`-`, 'dim'];
				if (!usage.membership.isActive(user)) return [safe`○ inactive`, 'warn'];
				return [cleanLine(usage.people.people[personOf(user) ?? -1]?.lastDay ?? '-'), 'text'];
			},
		},
		{
			title: safe`CREDITS`,
			order: 'billable_tokens',
			width: 12,
			isNumber: true,
			cell: user => total(user, 'billable_tokens'),
		},
		{
			title: safe`SESSIONS`,
			order: 'sessions',
			width: 9,
			isNumber: true,
			cell: user => total(user, 'sessions'),
		},
		{
			title: safe`DAYS`,
			order: 'activeDays',
			width: 5,
			isNumber: true,
			cell(user) {
				if (!people) return [safe`-`, 'dim'];
				const days = people.people[personOf(user) ?? -1]?.activeDays ?? 0;
				return [exactNumber(days), days === 0 ? 'dim' : 'text'];
			},
		},
		{
			title: safe`JOINED`,
			order: 'createdAt',
			width: 10,
			cell: user => [dayText(users[user]?.createdAt), 'dim'],
		},
		{title: safe`NAME`, width: 18, wanted: widestOf(users, nameOf), cell: user => nameCell(users[user])},
		{title: safe`ID`, width: 26, cell: user => [cleanLine(users[user]?.id ?? '-', 100), 'dim']},
	];
	return columns.map(column =>
		column.order === order ? {...column, title: safe`${column.title}${mark}`} : column,
	);
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
