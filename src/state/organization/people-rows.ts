import type {People} from '../../domain/usage/people.ts';
import {createRowIndex} from '../rows/row-index.ts';
import {personSortKey} from './people-columns.ts';

/** Sorted people of a range, by index. */
export const peopleRows = createRowIndex<People, string>({
	count: ({people}) => people.length,
	keyOf: personSortKey,
	textOf({people}, row) {
		const {email = '', userId = ''} = people[row] ?? {};
		return `${email} ${userId}`;
	},
});
