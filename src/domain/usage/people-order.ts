import type {People, PersonMeasure} from './people.ts';

/** Sort keys of a table of people. */
export type PeopleOrder = PersonMeasure | 'autonomy' | 'email' | 'lastDay' | 'activeDays';

/** A person's sort value; undefined if unknown. */
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
