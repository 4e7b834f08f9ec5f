import {z} from 'zod';
import type {User} from '../domain/organization/user.ts';
import type {Page} from '../domain/page.ts';
import type {Caller} from './call.ts';
import {readPage} from './envelope.ts';
import {pageQuery} from './page-query.ts';
import {validate} from './request-schemas.ts';
import {itemId, lenientMap, lenientObject, lenientText} from './response-schemas.ts';
import type {Service} from './service.ts';

const user = lenientObject({
	id: itemId,
	email: lenientText,
	createdAt: lenientText,
	metadata: lenientMap(z.unknown()),
	firstName: lenientText,
	lastName: lenientText,
	lastSignInAt: lenientText,
});

/** Endpoint that lists the organization's users. */
export function createUsers(call: Caller): Service['users'] {
	return {
		list: async (values = {}, options) =>
			call(
				{
					resource: 'users.list',
					host: 'base',
					method: 'GET',
					path: '/api/v0/organization/users',
					query: validate(pageQuery, values, 'query'),
					policy: 'read',
					decode: (answer): Page<User> => readPage(answer, 'users', user),
				},
				options,
			),
	};
}
