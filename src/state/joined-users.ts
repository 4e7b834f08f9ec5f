import {type Membership, membershipOf} from '../domain/usage/membership.ts';
import {type ListedUser, textOfUser} from '../domain/user-list.ts';
import type {Organization, PeopleData} from './organization.ts';
import {createRowIndex} from './row-index.ts';

/** The organization's users, and what each did in a range of days where that is known. */
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

/** Joined once for what was read of both; nothing before the users were. */
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

/** Users in an order, by their index. */
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
