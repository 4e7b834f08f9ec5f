import type {People, PersonMeasure} from './people.ts';

/** What a table of people can be ordered by. */
export type PeopleOrder = PersonMeasure | 'autonomy' | 'email' | 'lastDay' | 'activeDays';

/** What a person comes to in an order; absent when it is not known. */
export function keyOfPerson(people: People, index: number, by: PeopleOrder): number | string | undefined {
	const person = people.people[index];
	switch (by) {
		case 'email':
			return (person?.email ?? person?.userId)?.toLowerCase();
		case 'lastDay':
			return person?.lastDay;
		case 'activeDays':
			return person?.activeDays;
		case 'autonomy':
			return people.autonomy(index);
		default:
			return people.total(index, by);
	}
}
