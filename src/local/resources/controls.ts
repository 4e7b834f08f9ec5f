import {z} from 'zod';
import {userName} from '../../config/user-name.ts';
import type {LocalContext} from '../context.ts';
import {recordSettings} from '../control-history.ts';
import {pageLimitField, parseQuery} from '../http/fields.ts';
import {cutPage, decodeCursor, encodeCursor} from '../http/pagination.ts';
import type {Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';

const historyQuery = z.strictObject({limit: pageLimitField, cursor: z.string().optional()});

/** Serves the control history: every past state of the local settings file, newest first. */
export function controlRoutes(context: LocalContext): Route[] {
	const {storage, folder} = context;
	return [
		{
			method: 'GET',
			path: '/api/v0/organization/enterprise-controls/history',
			status: 200,
			async handle({query}) {
				const {limit, cursor} = parseQuery(historyQuery, query);
				recordSettings(folder, storage);
				const rows = storage.controls.list(decodeCursor('controls', cursor), limit + 1);
				const {items, pagination} = cutPage(rows, limit, row => encodeCursor('controls', row.revision));
				const {id, email} = await readLocalUser(context);
				const changes = items.map(({revision, settings, updatedAt}) => ({
					revision,
					settings,
					user: {id, email, name: userName()},
					updatedAt: new Date(updatedAt).toISOString(),
				}));
				return {changes, pagination};
			},
		},
	];
}
