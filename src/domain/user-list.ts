import {instantOf} from './time.ts';
import type {User} from './user.ts';

/** What is shown of a user. */
export type ListedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName'> & {
	/** Unix ms; absent when it was never told, or is no time. */
	readonly createdAt?: number;
	readonly lastSignInAt?: number;
};

/** Gathers the users of an organization as their pages come: the same id once, its times read once. */
export function createUserList(): {add(user: User): void; readonly users: readonly ListedUser[]} {
	const ids = new Set<string>();
	const users: ListedUser[] = [];
	return {
		users,
		add({id, email, firstName, lastName, ...user}) {
			if (ids.has(id)) return;
			ids.add(id);
			const createdAt = instantOf(user.createdAt);
			const lastSignInAt = instantOf(user.lastSignInAt);
			users.push({
				id,
				...(email && {email}),
				...(firstName && {firstName}),
				...(lastName && {lastName}),
				...(createdAt !== undefined && {createdAt}),
				...(lastSignInAt !== undefined && {lastSignInAt}),
			});
		},
	};
}

/** First and last name; empty when neither is told. */
export function nameOf({firstName, lastName}: ListedUser): string {
	return [firstName, lastName].filter(Boolean).join(' ');
}

/** What a filter looks into, in any case. */
export function textOfUser(user: ListedUser): string {
	return [user.id, user.email, nameOf(user)].join(' ');
}
