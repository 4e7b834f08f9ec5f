import type {People} from '../domain/usage/people.ts';
import {keyOfPerson, type PeopleOrder} from '../domain/usage/people-order.ts';
import {createRowIndex} from './row-index.ts';

/** Sorted people of a range, by index. */
export const peopleRows = createRowIndex<People, PeopleOrder>({
	count: ({people}) => people.length,
	keyOf: keyOfPerson,
	textOf({people}, row) {
		const {email = '', userId = ''} = people[row] ?? {};
		return `${email} ${userId}`;
	},
});
