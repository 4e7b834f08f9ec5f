import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {activityOf, type JoinedUsers, joinedUsers, userRows} from '../../state/joined-users.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading, UserGroup} from '../../state/organization-reading.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {type UserUsage, userCell, userColumns, usersTable} from '../../text/values/user-columns.ts';
import {
	figureLines,
	figures,
	filterWords,
	groupFigure,
	type Page,
	type PageSize,
	rangeSpans,
	section,
	textPage,
	withLines,
	withRange,
} from './page.ts';
import {listPage, widestOf} from './page-columns.ts';
import {personPage} from './person-page.ts';
import {strings} from './strings.ts';

const text = strings.users;

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
	const title: Line = [span(strings.views.users, 'heading')];
	const range = joined.usage ? rangeSpans(joined.usage.range, text.usageOf) : [];
	const open = joined.users.findIndex(({id}) => id === opened.users);
	if (open >= 0) {
		const page = userPage(organization, joined, open, reading.back, size, now);
		return {...page, title: [...title, span(safe` › `, 'dim'), ...page.title, ...range]};
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
		columns: screenColumns.map(({title, text: textOf, cell, ...column}) => ({
			...column,
			title: column.order === order ? safe`${title}${mark}` : title,
			...(textOf && {fullWidth: widestOf(users, textOf)}),
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
	if (users.length === 0) return text.noUsers;
	if (words) return strings.noMatches;
	if (usage === undefined && group !== 'never') return text.activityUnread;
	return text.emptyGroup;
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
		{name: 'all', count: users.length, label: text.user(users.length), has: () => true},
		{
			name: 'active',
			count: membership?.active.length,
			label: text.active,
			has: user => membership?.isActive(user) ?? false,
		},
		{
			name: 'inactive',
			count: membership?.inactive.length,
			label: text.inactive,
			has: user => membership !== undefined && !membership.isActive(user),
		},
		{name: 'new', count: membership?.joined.length, label: text.new, has: user => joined.has(user)},
		{
			name: 'never',
			count: users.reduce((sum, _, user) => sum + Number(isNever(user)), 0),
			label: text.never,
			has: isNever,
		},
	];
}

/** Each user's activity, once it is known. */
function usageOf(joined: JoinedUsers): ((user: number) => UserUsage) | undefined {
	return joined.usage && (user => field => activityOf(joined, user, field));
}

/** `2026-03-01 08:00:00 UTC (3d ago)`. */
function timeText(at: number | undefined, now: number): Safe {
	return at === undefined ? strings.unknown : text.timeAgo(utcTime(at), age(now - at));
}

/** The user's metadata, as the service returns it. */
function metadataLines(user: ListedUser | undefined, width: number): Line[] {
	if (!user?.metadata) return [];
	const tree = cleanText(settingTree(user.metadata), {maxLength: maxMetadataLength});
	return section(
		text.metadata,
		wrapText(tree, width).map(row => [span(row)]),
	);
}

const maxMetadataLength = 20_000;

/** One user of the organization: identity, and usage in a range when known. */
function userPage(
	organization: Organization,
	joined: JoinedUsers,
	index: number,
	back: number,
	size: PageSize,
	now: number,
): Page {
	const {users, usage} = joined;
	const user = users[index];
	const fact = (name: Safe, value: Safe): Line => [span(safe`${name} `, 'dim'), span(value, 'strong')];
	const name = user ? nameOf(user) : '';
	const about: Line[] = [
		...figureLines(
			[
				...(name === '' ? [] : [[span(cleanLine(name, 80), 'strong')]]),
				fact(text.lastSignIn, timeText(user?.lastSignInAt, now)),
				fact(text.joined, timeText(user?.createdAt, now)),
				fact(text.id, cleanLine(user?.id ?? '-', 100)),
			],
			size.width,
		),
	];
	const metadata = metadataLines(user, size.width);
	const person = usage?.membership.personOf(index);
	const userId = person === undefined ? undefined : usage?.people.people[person]?.userId;
	if (usage && userId !== undefined) {
		const room = {...size, height: size.height - about.length};
		const activity = personPage(organization, usage, userId, back, room);
		if (activity) {
			const page = withLines({...activity, head: [...about, ...activity.head]}, metadata);
			const data = () => {
				const exported = activity.data?.();
				const table = usersTable('user', users, [index], usageOf(joined));
				return {name: 'user', selection: {}, ...exported, tables: [...(exported?.tables ?? []), table]};
			};
			return withRange({...page, data}, usage.range, {view: 'users'});
		}
	}
	const nothing = usage ? text.noActivity : text.activityUnread;
	return {
		...textPage([span(...userCell(users[index] as ListedUser))], about, [
			[],
			[span(nothing, 'dim')],
			[],
			...metadata,
		]),
		data: () => ({
			name: 'user',
			...(usage && {range: usage.range}),
			selection: {view: 'users'},
			tables: [usersTable('users', users, [index], usageOf(joined))],
		}),
	};
}
