import type {UserUsage} from '../../domain/export-tables/users-table.ts';
import type {JoinedUsers} from '../../state/joined-users.ts';

/** Returns a lookup of each user's usage for the export data; a user without rows did nothing. */
export function usageOf({usage}: JoinedUsers): ((user: number) => UserUsage) | undefined {
	if (!usage) return undefined;
	const {people, membership} = usage;
	return user => {
		const person = membership.personOf(user);
		if (person === undefined) return {activeDays: 0, credits: 0, sessions: 0};
		return {
			lastDay: people.people[person]?.lastDay,
			activeDays: people.people[person]?.activeDays,
			credits: people.total(person, 'billable_tokens'),
			sessions: people.total(person, 'sessions'),
		};
	};
}
