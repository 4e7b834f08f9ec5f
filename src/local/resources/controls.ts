import {statSync} from 'node:fs';
import {join} from 'node:path';
import {z} from 'zod';
import {readRegularFile} from '../../../hooks/regular-file.ts';
import {userName} from '../../config/user-name.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {readPage} from '../http/pagination.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';
import type {Storage} from '../storage/open-storage.ts';

const historyQuery = z.strictObject(pageQuery);

/** Serves the control history: every past state of the local settings file, newest first. */
export function controlRoutes(context: LocalContext): Route[] {
	const {storage, folder} = context;
	return [
		get('/api/v0/organization/enterprise-controls/history', async ({query}) => {
			const page = parseQuery(historyQuery, query);
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
	];
}

/**
 * Records a revision when the content of the user's settings file (`settings.json` in the service's folder)
 * has changed. A missing file counts as empty settings; one with invalid JSON is ignored.
 */
function recordSettings(folder: string, storage: Storage): void {
	const file = join(folder, 'settings.json');
	const found = readSettings(file);
	if (!found) return;
	storage.transaction(() => {
		const latest = storage.controls.latest();
		const isKnown = JSON.stringify(latest?.settings ?? {}) === JSON.stringify(found.settings);
		if (!isKnown) storage.controls.add(found.settings, found.at);
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
