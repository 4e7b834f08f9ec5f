import type {TestVariant} from './local-service.ts';

/** The service's default behavior. */
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
