import {instantOf, utcDayOf} from '../time.ts';
import type {User} from '../user.ts';
import type {DayRange} from './range.ts';

/** Someone with usage: what the people of a range come to. */
export type ActiveUser = {
	readonly userId: string;
	readonly email?: string | undefined;
	readonly lastDay?: string | undefined;
};

/** The organization's users joined with who was active in a range. */
export type Membership = {
	readonly active: readonly User[];
	/** Users of the organization without any activity in the range, longest without a sign-in first. */
	readonly inactive: readonly User[];
	/** Users whose account was made within the range, newest first. */
	readonly joined: readonly User[];
	/** Active ids that no user of the organization has: people who left, and programs. */
	readonly unlisted: readonly ActiveUser[];
};

/** Users are known again by id, and where usage holds no such id by e-mail in lower case. */
export function membershipOf(
	users: readonly User[],
	active: Iterable<ActiveUser>,
	{startDate, endDate}: DayRange,
): Membership {
	const byId = new Map(users.map(user => [user.id, user]));
	const byEmail = new Map(users.flatMap(user => (user.email ? [[user.email.toLowerCase(), user]] : [])));
	const seen = new Set<User>();
	const unlisted: ActiveUser[] = [];
	for (const one of active) {
		const user = byId.get(one.userId) ?? (one.email ? byEmail.get(one.email.toLowerCase()) : undefined);
		if (user) seen.add(user);
		else unlisted.push(one);
	}
	const joinedOn = (user: User) => {
		const at = instantOf(user.createdAt);
		return at === undefined ? '' : utcDayOf(at);
	};
	const signedIn = (user: User) => instantOf(user.lastSignInAt) ?? 0;
	return {
		active: users.filter(user => seen.has(user)),
		inactive: users.filter(user => !seen.has(user)).sort((a, b) => signedIn(a) - signedIn(b)),
		joined: users
			.filter(user => joinedOn(user) >= startDate && joinedOn(user) <= endDate)
			.sort((a, b) => (joinedOn(a) < joinedOn(b) ? 1 : -1)),
		unlisted,
	};
}
