import {type ListedUser, textOfUser} from '../domain/organization/user.ts';
import {type Membership, membershipOf} from '../domain/usage/membership.ts';
import type {Organization, PeopleData} from './organization.ts';
import {createRowIndex} from './row-index.ts';

/** The organization's users, with their activity in a range of days if known. */
export type JoinedUsers = {
	readonly users: readonly ListedUser[];
	readonly usage?: PeopleData & {readonly membership: Membership};
};

export const userOrders = [
	'lastSignInAt',
	'lastDay',
	'billable_tokens',
	'sessions',
	'activeDays',
	'createdAt',
	'email',
] as const;
export type UserOrder = (typeof userOrders)[number];

const joins = new WeakMap<readonly ListedUser[], JoinedUsers>();

/** Joins users with usage, cached per pair of inputs; undefined until the users are loaded. */
export function joinedUsers({
	users: {data: users},
	people: {data: people},
}: Pick<Organization, 'users' | 'people'>): JoinedUsers | undefined {
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

/** Sorted users, by index. */
export const userRows = createRowIndex<JoinedUsers, UserOrder>({
	count: ({users}) => users.length,
	keyOf({users, usage}, row, order) {
		const user = users[row];
		switch (order) {
			case 'email':
				return (user?.email ?? user?.id)?.toLowerCase();
			case 'createdAt':
			case 'lastSignInAt':
				return user?.[order];
			default: {
				const person = usage?.membership.personOf(row);
				if (!usage) return undefined;
				if (person === undefined) return order === 'lastDay' ? undefined : 0;
				if (order === 'lastDay' || order === 'activeDays') return usage.people.people[person]?.[order];
				return usage.people.total(person, order);
			}
		}
	},
	textOf({users}, row) {
		const user = users[row];
		return user ? textOfUser(user) : '';
	},
});
