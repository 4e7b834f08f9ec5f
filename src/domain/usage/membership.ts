import type {ListedUser} from '../organization/user.ts';
import type {People} from './people.ts';
import type {DayRange} from './range.ts';

/** The organization's users joined with the people in a range's usage. Both are identified by index. */
export type Membership = ReturnType<typeof membershipOf>;

/** Matches users by id, or by lower-cased email if usage has no such id. */
export function membershipOf(users: readonly ListedUser[], people: People, {startDate, endDate}: DayRange) {
	const userOf = new Map(users.map(({id}, index) => [id, index]));
	let byEmail: ReadonlyMap<string, number> | undefined;
	const personOf = new Map<number, number>();
	const active = new Set<number>();
	const unlisted: number[] = [];
	for (const [index, {userId, email, activeDays}] of people.people.entries()) {
		// Built only if needed: if every id matches, no email lookup is required.
		byEmail ??= userOf.has(userId) ? undefined : emailsOf(users);
		const user = userOf.get(userId) ?? byEmail?.get(email?.toLowerCase() ?? '');
		if (user === undefined) {
			if (activeDays > 0) unlisted.push(index);
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
	const createdAt = (user: number) => users[user]?.createdAt ?? Number.NaN;
	const signedIn = (user: number) => users[user]?.lastSignInAt ?? 0;
	const all = users.map((_, index) => index);
	// Without a row for any day, nobody is known to have been inactive.
	const isKnown = people.knownDays > 0;
	return {
		/** Whether the range has any data: without, it is unknown who was active. */
		isKnown,
		/** The person matching a user; undefined if the user has no reported usage. */
		personOf: (user: number) => personOf.get(user),
		isActive: (user: number) => active.has(user),
		/** Users who were active in the range; undefined if unknown. */
		active: isKnown ? all.filter(user => active.has(user)) : undefined,
		/** Users who were inactive, longest since sign-in first; those who never signed in come first. */
		inactive: isKnown
			? all.filter(user => !active.has(user)).sort((a, b) => signedIn(a) - signedIn(b))
			: undefined,
		/** Users whose account was created within the range, newest first. */
		joined: all
			.filter(user => createdAt(user) >= from && createdAt(user) < to)
			.sort((a, b) => createdAt(b) - createdAt(a)),
		/** Active people who are not users of the organization: former users and programs. Undefined if unknown. */
		unlisted: isKnown ? unlisted : undefined,
	};
}

function emailsOf(users: readonly ListedUser[]): ReadonlyMap<string, number> {
	return new Map(users.flatMap(({email}, index) => (email ? [[email.toLowerCase(), index]] : [])));
}
