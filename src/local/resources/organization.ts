import {statSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import {readRegularFile} from '../../../hooks/regular-file.ts';
import {userName} from '../../config/user-name.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {readPage} from '../http/pagination.ts';
import {badField} from '../http/refusal.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';
import {evaluateWorkspaces} from '../readiness/evaluate.ts';
import type {Storage} from '../storage/open-storage.ts';

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

/** Serves the organization: its only user, the history of the local settings file, and readiness reports. */
export function organizationRoutes(context: LocalContext): Route[] {
	const {storage, folder} = context;
	return [
		get('/api/v0/organization/users', async ({query}) => {
			const page = parseQuery(listQuery, query);
			const all = [await readLocalUser(context)];
			const read = (after = 0, count = all.length) => all.slice(after, after + count);
			const {items, pagination} = readPage('users', page, read, user => all.indexOf(user) + 1);
			return {users: items, pagination};
		}),
		get('/api/v0/organization/enterprise-controls/history', async ({query}) => {
			const page = parseQuery(listQuery, query);
			recordSettings(folder, storage);
			const {items, pagination} = readPage('controls', page, storage.controls.list, row => row.revision);
			const {id, email} = await readLocalUser(context);
			const changes = items.map(({revision, settings, updatedAt}) => ({
				revision,
				settings,
				user: {id, email, name: userName()},
				updatedAt: new Date(updatedAt).toISOString(),
			}));
			return {changes, pagination};
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

/**
 * Records a revision when the content of the user's settings file (`settings.json` in the service's folder)
 * has changed. A missing file counts as empty settings; one with invalid JSON is ignored.
 */
function recordSettings(folder: string, storage: Storage): void {
	const file = join(folder, 'settings.json');
	const current = readSettings(file);
	if (!current) return;
	storage.transaction(() => {
		const latest = storage.controls.latest();
		const isKnown = JSON.stringify(latest?.settings ?? {}) === JSON.stringify(current.settings);
		if (!isKnown) storage.controls.add(current.settings, current.at);
	});
}

function readSettings(file: string): {settings: Record<string, unknown>; at: number} | undefined {
	const stat = statSync(file, {throwIfNoEntry: false});
	if (!stat) return {settings: {}, at: Date.now()};
	try {
		const settings: unknown = JSON.parse(readRegularFile(file));
		if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return undefined;
		return {settings: settings as Record<string, unknown>, at: Math.round(stat.mtimeMs)};
	} catch {
		return undefined;
	}
}

function normalizeUrl(url: string): string {
	return url
		.replace(/\/+$/, '')
		.replace(/\.git$/, '')
		.toLowerCase();
}
