import {z} from 'zod';
import type {Page} from '../domain/page.ts';
import type {User} from '../domain/user.ts';
import type {Caller} from './call.ts';
import {readPage} from './envelope.ts';
import {pageQuery} from './page-query.ts';
import type {Service} from './service.ts';
import {itemId, softMap, softObject, softText} from './soft.ts';
import {check} from './strict.ts';

const user = softObject({
	id: itemId,
	email: softText,
	createdAt: softText,
	metadata: softMap(z.unknown()),
	firstName: softText,
	lastName: softText,
	lastSignInAt: softText,
});

/** Users of the organization (contract 4.4). */
export function createUsers(call: Caller): Service['users'] {
	return {
		list: async (values = {}, options) =>
			call(
				{
					resource: 'users.list',
					host: 'base',
					method: 'GET',
					path: '/api/v0/organization/users',
					query: check(pageQuery, values, 'query'),
					policy: 'read',
					decode: (answer): Page<User> => readPage(answer, 'users', user),
				},
				options,
			),
	};
}
