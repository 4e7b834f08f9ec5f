import {expect, test} from 'vitest';
import {askForService} from '../../../src/api/ask-for-service.ts';
import {body, html, json, redirect} from '../../support/replies.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const check = () => askForService(harness.service, new AbortController().signal);
const changes = json({changes: [], pagination: {hasMore: false}});
const activity = json({data: [], meta: {}});

test.each([
	['404 for the users', [json({}, 404), changes], 'answered'],
	['400 for the users, 404 for the controls', [json({title: 'x'}, 400), json({}, 404), activity], 'answered'],
	['users of another shape', [json({users: {}}), changes], 'answered'],
	['403 for the users', [json({}, 403)], 'forbidden'],
	['404 for the users, 402 for the controls', [html(404, 'no'), json({}, 402)], 'forbidden'],
])('%s: it is the service', async (_, replies, expected) => {
	harness.server.answer(...replies);
	expect(await check()).toBe(expected);
	expect(harness.server.requests).toHaveLength(replies.length);
});

test.each([
	['404 for everything', html(404, 'no'), 3, 'answers, but not as the service (404)'],
	['pages for everything', html(200, 'hello'), 3, 'a web page instead of the expected JSON'],
	['JSON of another shape', json({ok: true}), 3, 'has no list "users"'],
	['401', json({}, 401), 1, 'refused the key (401)'],
	['a redirect', redirect('/other'), 1, 'redirects to another address'],
	['text', body('hi'), 3, 'text instead of the expected JSON'],
])('%s: it is not, or refuses the key', async (_, reply, requests, problem) => {
	harness.server.otherwise(reply);
	expect((await errorOf(check())).message).toContain(problem);
	expect(harness.server.requests).toHaveLength(requests);
});
