import {z} from 'zod';
import type {Caller} from './call.ts';
import {listIn} from './envelope.ts';
import type {ReportPage, Service} from './service.ts';
import {
	itemId,
	readEach,
	softFlag,
	softInstant,
	softMap,
	softNumber,
	softObject,
	softPart,
	softText,
} from './soft.ts';
import {check, someText, wholeNumber} from './strict.ts';

const report = softObject({
	reportId: itemId,
	createdAt: softInstant,
	repoUrl: softText,
	apps: softMap(softObject({description: softText})),
	report: softMap(softObject({numerator: softNumber, denominator: softNumber, rationale: softText})),
	commitHash: softText,
	branch: softText,
	hasLocalChanges: softFlag,
	hasNonRemoteCommits: softFlag,
	modelUsed: softPart({id: softText, reasoningEffort: softText}),
	agentVersion: softText,
});

const query = z.strictObject({
	repoId: someText.optional(),
	limit: wholeNumber({min: 1}).optional(),
	startAfter: someText.optional(),
});

/** Readiness reports (contract 4.1): the one endpoint at the app address. */
export function createReadiness(call: Caller): Service['readiness'] {
	return {
		list: async (values = {}, options) =>
			call(
				{
					resource: 'readiness.list',
					host: 'app',
					method: 'GET',
					path: '/api/organization/maturity-level-reports',
					query: check(query, values, 'query'),
					policy: 'read',
					decode: (answer): ReportPage => readEach(listIn(answer, 'reports'), report),
				},
				options,
			),
	};
}
