import {z} from 'zod';
import type {LocalContext} from '../context.ts';
import {parseQuery} from '../http/fields.ts';
import {badField} from '../http/refusal.ts';
import {get, type Route} from '../http/router.ts';
import {evaluateWorkspaces} from '../readiness/evaluate.ts';

const listQuery = z.strictObject({
	/** The repository's address, as reported in `repoUrl`. */
	repoId: z.string().optional(),
	limit: z
		.string()
		.regex(/^[1-9]\d{0,8}$/, {error: 'must be a positive integer'})
		.transform(Number)
		.optional(),
	startAfter: z.string().optional(),
});

/** Serves readiness reports: evaluations of the repositories in this service's workspaces, newest first. */
export function readinessRoutes(context: LocalContext): Route[] {
	const {readiness} = context.storage;
	return [
		get('/api/organization/maturity-level-reports', async ({query}) => {
			const {repoId, limit, startAfter} = parseQuery(listQuery, query);
			const last = startAfter === undefined ? undefined : readiness.get(startAfter);
			if (startAfter !== undefined && !last) throw badField('startAfter', 'is not a report of this service');
			if (!last) await evaluateWorkspaces(context);
			const reports = readiness.list(last?.seq).map(({report}) => report);
			const wanted = reports.filter(
				({repoUrl}) => repoId === undefined || normalizeUrl(repoUrl ?? '') === normalizeUrl(repoId),
			);
			return {reports: wanted.slice(0, limit)};
		}),
	];
}

function normalizeUrl(url: string): string {
	return url
		.replace(/\/+$/, '')
		.replace(/\.git$/, '')
		.toLowerCase();
}
