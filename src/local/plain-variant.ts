import type {TestVariant} from './local-service.ts';

/** How the service behaves when no test asks for anything else. */
export const plainVariant: TestVariant = {
	pageOrder: 'newest-first',
	content: 'bare',
	hasRoleField: false,
	listingLag: 0,
	notFoundAfterCreate: 0,
	coldCall: 0,
	errorShape: 'problem',
	stepWords: 'plain',
	refusesProbe: false,
	losesEveryNthPost: 0,
};
