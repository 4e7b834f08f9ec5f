import {z} from 'zod';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {readPage} from '../http/pagination.ts';
import {badField} from '../http/refusal.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';
import {evaluateWorkspaces} from '../readiness/evaluate.ts';

const listQuery = z.strictObject(pageQuery);

const reportQuery = z.strictObject({
	/** The repository's address, as reported in `repoUrl`. */
	repoId: z.string().optional(),
	limit: z
		.string()
		.regex(/^[1-9]\d{0,8}$/, {error: 'must be a positive integer'})
		.transform(Number)
		.optional(),
	startAfter: z.string().optional(),
});

/** Serves the organization: its only user and its readiness reports. It has no settings. */
export function organizationRoutes(context: LocalContext): Route[] {
	const {storage} = context;
	return [
		get('/api/v0/organization/users', async ({query}) => {
			const page = parseQuery(listQuery, query);
			const all = [await readLocalUser(context)];
			const read = (after = 0, count = all.length) => all.slice(after, after + count);
			const {items, pagination} = readPage('users', page, read, user => all.indexOf(user) + 1);
			return {users: items, pagination};
		}),
		get('/api/v0/organization/enterprise-controls/history', ({query}) => {
			parseQuery(listQuery, query);
			return {changes: [], pagination: {hasMore: false, nextCursor: ''}};
		}),
		get('/api/organization/maturity-level-reports', async ({query}) => {
			const {repoId, limit, startAfter} = parseQuery(reportQuery, query);
			const cursorReport = startAfter === undefined ? undefined : storage.readiness.get(startAfter);
			if (startAfter !== undefined && !cursorReport)
				throw badField('startAfter', 'is not a report of this service');
			if (!cursorReport) await evaluateWorkspaces(context);
			const reports = storage.readiness.list(cursorReport?.seq).map(({report}) => report);
			const matching = reports.filter(
				({repoUrl}) => repoId === undefined || normalizeUrl(repoUrl ?? '') === normalizeUrl(repoId),
			);
			return {reports: matching.slice(0, limit)};
		}),
	];
}

function normalizeUrl(url: string): string {
	return url
		.replace(/\/+$/, '')
		.replace(/\.git$/, '')
		.toLowerCase();
}
