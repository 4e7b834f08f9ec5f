import {z} from 'zod';
import type {ControlChange} from '../domain/organization/controls.ts';
import type {Page} from '../domain/page.ts';
import type {Caller} from './call.ts';
import {readPage} from './envelope.ts';
import {pageQuery} from './page-query.ts';
import {validate} from './request-schemas.ts';
import {lenientMap, lenientObject, lenientPart, lenientText} from './response-schemas.ts';
import type {Service} from './service.ts';

/** The settings stay untyped: the contract leaves many of their parts free-form. */
const change = lenientObject({
	revision: z.number(),
	settings: lenientMap(z.unknown()),
	user: lenientPart({id: lenientText, email: lenientText, name: lenientText}),
	updatedAt: lenientText,
});

/** Endpoint for the history of the organization's settings. */
export function createControls(call: Caller): Service['controls'] {
	return {
		history: async (values = {}, options) =>
			call(
				{
					resource: 'controls.history',
					host: 'base',
					method: 'GET',
					path: '/api/v0/organization/enterprise-controls/history',
					query: validate(pageQuery, values, 'query'),
					policy: 'read',
					decode: (answer): Page<ControlChange> => readPage(answer, 'changes', change),
				},
				options,
			),
	};
}
