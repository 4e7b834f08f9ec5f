import {z} from 'zod';
import type {LocalContext} from '../context.ts';
import {pageLimitField, parseQuery} from '../http/fields.ts';
import {cutPage, decodeCursor, encodeCursor} from '../http/pagination.ts';
import type {Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';

const listQuery = z.strictObject({limit: pageLimitField, cursor: z.string().optional()});

/** Serves the list of users. Whoever runs this service is its organization's only user. */
export function userRoutes(context: LocalContext): Route[] {
	return [
		{
			method: 'GET',
			path: '/api/v0/organization/users',
			status: 200,
			async handle({query}) {
				const {limit, cursor} = parseQuery(listQuery, query);
				const start = decodeCursor('users', cursor) ?? 0;
				const rows = [await readLocalUser(context)].slice(start);
				const {items, pagination} = cutPage(rows, limit, () => encodeCursor('users', start + limit));
				return {users: items, pagination};
			},
		},
	];
}
