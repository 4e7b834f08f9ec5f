import {z} from 'zod';
import type {ReadinessReport} from '../domain/organization/readiness.ts';
import type {CallOptions, Client} from './client.ts';
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
	listIn,
	readEach,
} from './response-schemas.ts';

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

/** `limit` is any positive integer; `startAfter` a report id. */
export type ReadinessQuery = {
	readonly repoId?: string;
	readonly limit?: number;
	readonly startAfter?: string;
};

const readinessQuery = z.strictObject({
	repoId: nonEmptyText.optional(),
	limit: wholeNumber({min: 1}).optional(),
	startAfter: nonEmptyText.optional(),
});

/** A page of readiness reports. The response has no pagination, only the list. */
export type ReportPage = {readonly items: readonly ReadinessReport[]; readonly skipped: number};

/** Readiness reports: the only endpoint at the app address (`appUrl`). */
export function createReadiness(client: Client) {
	return {
		list: async (query: ReadinessQuery = {}, options?: CallOptions): Promise<ReportPage> =>
			client.call({
				resource: 'readiness.list',
				host: 'app',
				method: 'GET',
				path: '/api/organization/maturity-level-reports',
				query: validate(readinessQuery, query, 'query'),
				decode: response => readEach(listIn(response, 'reports'), report),
				...options,
			}),
	};
}
