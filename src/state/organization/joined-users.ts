import type {ListedUser} from '../../domain/organization/user.ts';
import {type Membership, membershipOf} from '../../domain/usage/membership.ts';
import {type ActivityField, personValue} from '../../domain/usage/person-fields.ts';
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

/** Sorted users, by index. */
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
