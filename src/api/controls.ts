import {z} from 'zod';
import type {ControlChange} from '../domain/organization/controls.ts';
import type {Page} from '../domain/page.ts';
import type {CallOptions, Client} from './client.ts';
import {type PageQuery, pageQuery, validate} from './request-schemas.ts';
import {lenientMap, lenientObject, lenientPart, lenientText, readPage} from './response-schemas.ts';

/** The settings stay untyped: the contract leaves many of their parts free-form. */
const change = lenientObject({
	revision: z.number(),
	settings: lenientMap(z.unknown()),
	user: lenientPart({id: lenientText, email: lenientText, name: lenientText}),
	updatedAt: lenientText,
});

export function createControls(client: Client) {
	return {
		history: async (query: PageQuery = {}, options?: CallOptions): Promise<Page<ControlChange>> =>
			client.call({
				resource: 'controls.history',
				method: 'GET',
				path: '/api/v0/organization/enterprise-controls/history',
				query: validate(pageQuery, query, 'query'),
				decode: response => readPage(response, 'changes', change, query.limit),
				...options,
			}),
	};
}
