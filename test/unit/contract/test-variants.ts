import type {TestVariant} from '../../../src/local/context.ts';

/** Services that the contract allows, told apart by their name. */
export const testVariants: readonly {readonly name: string; readonly variant: Partial<TestVariant>}[] = [
	{name: 'plain', variant: {}},
	{
		name: 'oldest first, typed content, roles, slow to show anything, strange words',
		variant: {
			pageOrder: 'oldest-first',
			content: 'typed',
			hasRoleField: true,
			listingLag: 300,
			coldCall: 100,
			stepWords: 'strange',
		},
	},
];
