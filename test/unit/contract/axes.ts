import type {Axes} from '../../../src/local/local-service.ts';

/** Services that the contract allows, told apart by their name. */
export const services: readonly {readonly name: string; readonly axes: Partial<Axes>}[] = [
	{name: 'plain', axes: {}},
	{
		name: 'oldest first, typed content, roles, loud words',
		axes: {pageOrder: 'oldest-first', content: 'typed', hasRoleField: true, stepWords: 'loud'},
	},
	{
		name: 'slow to show anything, strange words',
		axes: {listingLag: 300, coldCall: 100, stepWords: 'strange'},
	},
];
