import type {ListedUser} from '../user-list.ts';
import type {People} from './people.ts';
import type {DayRange} from './range.ts';

/** The organization's users joined with the people of a range. Users and people are named by their index. */
export type Membership = {
	/** The person a user is; absent when nothing of theirs was told. */
	personOf(user: number): number | undefined;
	isActive(user: number): boolean;
	/** Users who were active in the range. */
	readonly active: readonly number[];
	/** Those who were not, the longest without a sign-in first: who never signed in before all others. */
	readonly inactive: readonly number[];
	/** Users whose account was made within the range, newest first. */
	readonly joined: readonly number[];
	/** Active people that are no user of the organization: people who left, and programs. */
	readonly unlisted: readonly number[];
};

/** Users are known again by id, and where usage holds no such id by e-mail in lower case. */
export function membershipOf(
	users: readonly ListedUser[],
	people: People,
	{startDate, endDate}: DayRange,
): Membership {
	const userOf = new Map(users.map(({id}, index) => [id, index]));
	let byEmail: ReadonlyMap<string, number> | undefined;
	const personOf = new Map<number, number>();
	const active = new Set<number>();
	const unlisted: number[] = [];
	for (const [index, {userId, email, activeDays}] of people.people.entries()) {
		// Where every id is known, nobody is looked for by e-mail.
		byEmail ??= userOf.has(userId) ? undefined : emailsOf(users);
		const user = userOf.get(userId) ?? byEmail?.get(email?.toLowerCase() ?? '');
		if (user === undefined) {
			if (activeDays > 0) unlisted.push(index);
			continue;
		}
		// Someone of two ids is the one that did more.
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
	return {
		personOf: user => personOf.get(user),
		isActive: user => active.has(user),
		active: all.filter(user => active.has(user)),
		inactive: all.filter(user => !active.has(user)).sort((a, b) => signedIn(a) - signedIn(b)),
		joined: all
			.filter(user => createdAt(user) >= from && createdAt(user) < to)
			.sort((a, b) => createdAt(b) - createdAt(a)),
		unlisted,
	};
}

function emailsOf(users: readonly ListedUser[]): ReadonlyMap<string, number> {
	return new Map(users.flatMap(({email}, index) => (email ? [[email.toLowerCase(), index]] : [])));
}
