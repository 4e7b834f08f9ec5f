import {z} from 'zod';
import type {Caller} from './call.ts';
import {listIn} from './envelope.ts';
import {nonEmptyText, validate, wholeNumber} from './request-schemas.ts';
import {
	itemId,
	lenientBoolean,
	lenientInstant,
	lenientMap,
	lenientNumber,
	lenientObject,
	lenientPart,
	lenientText,
	readEach,
} from './response-schemas.ts';
import type {ReportPage, Service} from './service.ts';

const report = lenientObject({
	reportId: itemId,
	createdAt: lenientInstant,
	repoUrl: lenientText,
	apps: lenientMap(lenientObject({description: lenientText})),
	report: lenientMap(
		lenientObject({numerator: lenientNumber, denominator: lenientNumber, rationale: lenientText}),
	),
	commitHash: lenientText,
	branch: lenientText,
	hasLocalChanges: lenientBoolean,
	hasNonRemoteCommits: lenientBoolean,
	modelUsed: lenientPart({id: lenientText, reasoningEffort: lenientText}),
	agentVersion: lenientText,
});

const query = z.strictObject({
	repoId: nonEmptyText.optional(),
	limit: wholeNumber({min: 1}).optional(),
	startAfter: nonEmptyText.optional(),
});

/** Readiness reports: the only endpoint at the app address (`appUrl`). */
export function createReadiness(call: Caller): Service['readiness'] {
	return {
		list: async (values = {}, options) =>
			call(
				{
					resource: 'readiness.list',
					host: 'app',
					method: 'GET',
					path: '/api/organization/maturity-level-reports',
					query: validate(query, values, 'query'),
					policy: 'read',
					decode: (answer): ReportPage => readEach(listIn(answer, 'reports'), report),
				},
				options,
			),
	};
}
