import type {ExportTable} from '../../domain/export-table.ts';
import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {type JoinedUsers, joinedUsers, userRow, userRows} from '../../state/organization/joined-users.ts';
import type {Organization} from '../../state/organization/organization.ts';
import type {OrganizationViewState, UserGroup} from '../../state/organization/organization-view-state.ts';
import {listedUserColumns, userCell, userColumns, usersTable} from '../../state/organization/user-columns.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {widestTexts} from '../kit/columns.ts';
import {
	counted,
	figureHead,
	figureLines,
	groupFigure,
	listPage,
	type Page,
	type PageContext,
	pageTitle,
	rangeSpans,
	section,
	textPage,
} from './page.ts';
import {personPage} from './person-page.ts';
import {strings} from './strings.ts';

const activityUnread = safe`User activity has not been read yet`;

/** The Users view: the organization's users with their usage in a range, or one user. */
export function usersPage(
	organization: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
): Page | undefined {
	const joined = joinedUsers(organization);
	if (!joined) return undefined;
	const {opened} = viewState;
	const range = joined.usage ? rangeSpans(joined.usage.range, safe`usage of `) : [];
	const open = joined.users.findIndex(({id}) => id === opened.users);
	if (open >= 0) {
		const page = userPage(organization, joined, open, viewState.daysBack, context);
		return {...page, title: [...pageTitle('users'), span(safe` › `, 'dim'), ...page.title, ...range]};
	}
	return usersList(joined, viewState, context, [...pageTitle('users', {filter: context.filter}), ...range]);
}

function usersList(
	joined: JoinedUsers,
	{users: {group: shownGroup, ...order}}: OrganizationViewState,
	{width, now, filter = '', hidden}: PageContext,
	title: Line,
): Page {
	const {users, usage} = joined;
	const groups = groupsOf(joined);
	const group = groups.find(({name}) => name === shownGroup);
	const indexes = userRows(joined, {...order, words: filter, group});
	return listPage({
		columns: userColumns,
		context: {width, now, places: usage?.people.creditPlaces},
		widest: widestOfUsers(users),
		order: {...order, hidden},
		count: indexes.length,
		rowAt: at => userRow(joined, indexes[at] ?? -1),
		idOf: ({user}) => user.id,
		title,
		head: figureHead(
			groups.flatMap(({name, isKnown, has, label}): Line[] => {
				const count = isKnown ? users.reduce((sum, _, user) => sum + Number(has(user)), 0) : undefined;
				const isShown = name === shownGroup;
				// Usage that wasn't read is reported below; don't repeat it per group.
				return count === undefined && !usage && !isShown
					? []
					: [groupFigure(count, label, isShown ? indexes.length : undefined)];
			}),
			width,
		),
		data: () => ({
			name: shownGroup === 'all' ? 'users' : `users-${shownGroup}`,
			range: usage?.range,
			selection: {view: 'users', group: shownGroup, filter, ...order},
			tables: [tableOf('users', joined, indexes)],
		}),
		empty: emptyText(joined, filter, shownGroup),
	});
}

/** Measured once: a list of twenty thousand is redrawn on every sort key. */
const widestOfUsers = rememberEach((users: readonly ListedUser[]) =>
	widestTexts(
		userColumns,
		users.map(user => ({user})),
	),
);

function emptyText({users, usage}: JoinedUsers, filter: string, group: UserGroup): Safe {
	if (users.length === 0) return safe`The service lists no users`;
	if (filter) return strings.noMatches;
	if (usage === undefined && group !== 'never') return activityUnread;
	if (usage?.membership.isKnown === false && (group === 'active' || group === 'inactive'))
		return strings.usage.noData;
	return safe`No users in this group`;
}

type Group = {
	readonly name: UserGroup;
	readonly isKnown: boolean;
	readonly label: Safe;
	readonly has: (user: number) => boolean;
};

function groupsOf({users, usage}: JoinedUsers): readonly Group[] {
	const membership = usage?.membership;
	const isKnown = membership?.isKnown ?? false;
	return [
		{
			name: 'all',
			isKnown: true,
			label: counted(users.length, safe`user`, safe`users`),
			has: () => true,
		},
		{name: 'active', isKnown, label: safe`active`, has: user => membership?.isActive(user) ?? false},
		{name: 'inactive', isKnown, label: safe`inactive`, has: user => isKnown && !membership?.isActive(user)},
		{
			name: 'new',
			isKnown: membership !== undefined,
			label: safe`new`,
			has: user => membership?.isNew(user) ?? false,
		},
		{
			name: 'never',
			isKnown: true,
			label: safe`never signed in`,
			has: user => users[user]?.lastSignInAt === undefined,
		},
	];
}

function tableOf(name: string, joined: JoinedUsers, indexes: Iterable<number>): ExportTable {
	const rows = Array.from(indexes, index => userRow(joined, index));
	return usersTable(name, rows, joined.usage ? userColumns : listedUserColumns);
}

/** `2026-03-01 08:00:00 UTC (3d ago)`. */
function timeText(at: number | undefined, now: number): Safe {
	return at === undefined ? strings.unknown : safe`${utcTime(at)} (${age(now - at)} ago)`;
}

function metadataLines(user: ListedUser | undefined, width: number): Line[] {
	if (!user?.metadata) return [];
	const tree = cleanText(settingTree(user.metadata), {maxLength: maxMetadataLength});
	return section(
		safe`Metadata`,
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
	context: PageContext,
): Page {
	const {width, now} = context;
	const {users, usage} = joined;
	const user = users[index];
	const named = (name: Safe, value: Safe): Line => [span(safe`${name} `, 'dim'), span(value, 'strong')];
	const name = user ? nameOf(user) : '';
	const identity = figureLines(
		[
			...(name === '' ? [] : [[span(cleanLine(name, 80), 'strong')]]),
			named(safe`last sign-in`, timeText(user?.lastSignInAt, now)),
			named(safe`joined`, timeText(user?.createdAt, now)),
			named(safe`id`, cleanLine(user?.id ?? '-', 100)),
		],
		width,
	);
	const metadata = metadataLines(user, width);
	const person = usage?.membership.personOf(index);
	const userId = person === undefined ? undefined : usage?.people.people[person]?.userId;
	if (usage && userId !== undefined) {
		const room = {...context, height: context.height - identity.length};
		const activity = personPage(organization, usage, userId, back, room);
		if (activity) {
			const {head, count, row} = activity;
			const page = {
				...activity,
				head: [...identity, ...head],
				count: count + metadata.length,
				row: (line: number) => (line < count ? row(line) : (metadata[line - count] ?? [])),
			};
			const data = () => {
				const {selection, tables = [], ...exported} = activity.data?.() ?? {};
				return {
					name: 'user',
					...exported,
					selection: {...selection, view: 'users'},
					tables: [...tables, tableOf('user', joined, [index])],
				};
			};
			return {...page, data};
		}
	}
	const known = usage?.membership.isKnown ? safe`No activity on these days` : strings.usage.noData;
	const nothing = usage ? known : activityUnread;
	return {
		...textPage(
			[span(userCell(users[index] as ListedUser), user?.email === undefined ? 'dim' : 'text')],
			identity,
			[[], [span(nothing, 'dim')], [], ...metadata],
		),
		data: () => ({
			name: 'user',
			range: usage?.range,
			selection: {view: 'users'},
			tables: [tableOf('users', joined, [index])],
		}),
	};
}
