import {z} from 'zod';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {readPage} from '../http/pagination.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';

const listQuery = z.strictObject(pageQuery);

/** Serves the list of users. Whoever runs this service is its organization's only user. */
export function userRoutes(context: LocalContext): Route[] {
	return [
		get('/api/v0/organization/users', async ({query}) => {
			const page = parseQuery(listQuery, query);
			const all = [await readLocalUser(context)];
			const read = (after = 0, count = all.length) => all.slice(after, after + count);
			const {items, pagination} = readPage('users', page, read, user => all.indexOf(user) + 1);
			return {users: items, pagination};
		}),
	];
}
