import type {ListedUser} from '../../domain/organization/user.ts';
import {type ActivityField, type People, personValue} from '../../domain/usage/people.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import {wordsOf} from '../rows/column.ts';
import {createRowIndex} from '../rows/row-index.ts';
import type {Organization, PeopleData} from './organization.ts';
import {listedUserColumns, type UserRow, userColumns} from './user-columns.ts';

/** The organization's users, with their activity in a range of days if known. */
export type JoinedUsers = {
	readonly users: readonly ListedUser[];
	readonly usage?: PeopleData & {readonly membership: Membership};
};

const joins = new WeakMap<readonly ListedUser[], JoinedUsers>();

/** Joins users with usage, cached per pair of inputs; undefined until the users are loaded. */
export function joinedUsers({
	users: {data: users},
	people: {data: people},
}: Organization): JoinedUsers | undefined {
	if (!users) return undefined;
	const known = joins.get(users);
	if (known && known.usage?.people === people?.people) return known;
	const joined = {
		users,
		...(people && {usage: {...people, membership: membershipOf(users, people.people, people.range)}}),
	};
	joins.set(users, joined);
	return joined;
}

/** A figure of a user's activity: unknown before usage is loaded or without any data, else zero for a user without any. */
function activityOf({usage}: JoinedUsers, user: number, field: ActivityField) {
	if (!usage?.membership.isKnown) return undefined;
	const person = usage.membership.personOf(user);
	if (person === undefined) return field === 'last_day' ? undefined : 0;
	return personValue(usage.people, person, field);
}

export const userRows = createRowIndex<JoinedUsers, UserRow>({
	columns: userColumns,
	count: ({users}) => users.length,
	rowOf: userRow,
	textOf: row => wordsOf(listedUserColumns, row),
});

/** One of the users, with their activity once it is known. */
export function userRow(joined: JoinedUsers, index: number): UserRow {
	return {
		user: joined.users[index] as ListedUser,
		...(joined.usage && {usage: field => activityOf(joined, index, field)}),
	};
}

/** The organization's users joined with the people in a range's usage. Both are identified by index. */
type Membership = ReturnType<typeof membershipOf>;

/** Matches users by id, or by lower-cased email if usage has no such id. */
export function membershipOf(users: readonly ListedUser[], people: People, {startDate, endDate}: DayRange) {
	const userOf = new Map(users.map(({id}, index) => [id, index]));
	let byEmail: ReadonlyMap<string, number> | undefined;
	const personOf = new Map<number, number>();
	const active = new Set<number>();
	const unlisted = new Set<number>();
	for (const [index, {userId, email, activeDays}] of people.people.entries()) {
		// Built only if needed: if every id matches, no email lookup is required.
		byEmail ??= userOf.has(userId) ? undefined : emailsOf(users);
		const user = userOf.get(userId) ?? byEmail?.get(email?.toLowerCase() ?? '');
		if (user === undefined) {
			if (activeDays > 0) unlisted.add(index);
			continue;
		}
		// If two people match the same user, the more active one wins.
		const other = personOf.get(user);
		if (other === undefined || (people.people[other]?.activeDays ?? 0) < activeDays)
			personOf.set(user, index);
		if (activeDays > 0) active.add(user);
	}
	const from = Date.parse(startDate);
	const to = Date.parse(endDate) + 86_400_000;
	// Without a row for any day, nobody is known to have been inactive.
	const isKnown = people.knownDays > 0;
	return {
		/** Whether the range has any data: without, it is unknown who was active. */
		isKnown,
		/** The person matching a user; undefined if the user has no reported usage. */
		personOf: (user: number) => personOf.get(user),
		isActive: (user: number) => active.has(user),
		/** Whether the user's account was created within the range. */
		isNew(user: number): boolean {
			const createdAt = users[user]?.createdAt ?? Number.NaN;
			return createdAt >= from && createdAt < to;
		},
		/** Active people who are not users of the organization: former users and programs. Undefined if unknown. */
		unlisted: isKnown ? unlisted : undefined,
	};
}

function emailsOf(users: readonly ListedUser[]): ReadonlyMap<string, number> {
	return new Map(users.flatMap(({email}, index) => (email ? [[email.toLowerCase(), index]] : [])));
}
