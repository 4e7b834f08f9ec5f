import type {People, PersonMeasure} from './people.ts';

/** What a table of people can be ordered by. */
export type PeopleOrder = PersonMeasure | 'autonomy' | 'email' | 'lastDay' | 'activeDays';

/** Indexes of the people in an order; unknown values come last in either direction. Equals keep their order. */
export function orderPeople(
	people: People,
	by: PeopleOrder,
	direction: 'ascending' | 'descending',
): number[] {
	const keys = people.people.map((_, index) => keyOf(people, index, by));
	const sign = direction === 'ascending' ? 1 : -1;
	return [...keys.keys()].sort((a, b) => {
		const left = keys[a];
		const right = keys[b];
		if (left === undefined || right === undefined)
			return Number(left === undefined) - Number(right === undefined);
		return left === right ? 0 : left < right ? -sign : sign;
	});
}

function keyOf(people: People, index: number, by: PeopleOrder): number | string | undefined {
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
