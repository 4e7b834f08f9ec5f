import type {People} from '../../domain/usage/people.ts';
import {type PersonField, personSortKey} from '../../domain/usage/person-fields.ts';
import {createRowIndex} from '../rows/row-index.ts';

/** Sorted people of a range, by index. */
export const peopleRows = createRowIndex<People, PersonField>({
	count: ({people}) => people.length,
	keyOf: personSortKey,
	textOf({people}, row) {
		const {email = '', userId = ''} = people[row] ?? {};
		return `${email} ${userId}`;
	},
});
