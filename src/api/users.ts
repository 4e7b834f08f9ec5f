import {z} from 'zod';
import type {User} from '../domain/organization/user.ts';
import type {Page} from '../domain/page.ts';
import type {CallOptions, Client} from './client.ts';
import {type PageQuery, pageQuery, validate} from './request-schemas.ts';
import {itemId, lenientMap, lenientObject, lenientText, readPage} from './response-schemas.ts';

const user = lenientObject({
	id: itemId,
	email: lenientText,
	createdAt: lenientText,
	metadata: lenientMap(z.unknown()),
	firstName: lenientText,
	lastName: lenientText,
	lastSignInAt: lenientText,
});

export function createUsers(client: Client) {
	return {
		list: async (query: PageQuery = {}, options?: CallOptions): Promise<Page<User>> =>
			client.call({
				resource: 'users.list',
				method: 'GET',
				path: '/api/v0/organization/users',
				query: validate(pageQuery, query, 'query'),
				decode: response => readPage(response, 'users', user, query.limit),
				...options,
			}),
	};
}
