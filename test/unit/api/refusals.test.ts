import {inspect} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {isServiceError, outcomeOf} from '../../../src/api/errors.ts';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import {Secret} from '../../../src/config/secret.ts';
import {problemOf} from '../../../src/sync/core/problem.ts';
import type {Reply} from '../../support/fault-server.ts';
import {body, html, json, redirect} from '../../support/replies.ts';
import {canary, errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const draft = {text: 'x'};

test.each([
	[400, 'RejectedError', 'refused'],
	[401, 'UnauthorizedError', 'held'],
	[402, 'ForbiddenError', 'held'],
	[403, 'ForbiddenError', 'held'],
	[404, 'NotFoundError', 'held'],
	[408, 'ServerError', 'unknown'],
	[410, 'NotFoundError', 'held'],
	[422, 'RejectedError', 'refused'],
	[429, 'RateLimitedError', 'wait'],
	[500, 'ServerError', 'unknown'],
])('%i for a message is a %s with the outcome %s', async (status, name, outcome) => {
	harness.server.answer(json({message: 'no'}, status));
	const error = await errorOf(harness.service.messages.add('s1', draft));
	expect(error).toMatchObject({name, status});
	expect(error.message).toMatch(/no\. \S/);
	expect(isServiceError(error)).toBe(true);
	expect(outcomeOf(error)).toBe(outcome);
	expect(harness.server.requests).toHaveLength(1);
	expect(harness.facts).toMatchObject([{ok: false, status, resource: 'messages.add'}]);
});

test.each([
	[301, 'unknown'],
	[307, 'refused'],
])("doesn't follow a %i", async (status, outcome) => {
	harness.server.answer(redirect(`${harness.server.url}/elsewhere`, status));
	const error = await errorOf(harness.service.messages.add('s1', draft));
	expect(error).toMatchObject({name: 'RedirectError', status});
	expect(outcomeOf(error)).toBe(outcome);
	expect(harness.server.requests).toHaveLength(1);
});

test.each<[shape: string, reply: Reply, said: string]>([
	[
		'problem',
		json({title: 'Bad', detail: 'limit too big', status: 400, requestId: 'r-1'}, 400),
		'Bad: limit too big (request r-1)',
	],
	['error', json({error: 'bad cwd'}, 400), 'bad cwd'],
	['error object', json({error: {message: 'bad cwd', code: 'E1'}}, 400), 'bad cwd'],
	['message', json({message: 'bad cwd'}, 400), 'bad cwd'],
	[
		'errors',
		json({errors: [{field: 'cwd', message: 'too long'}, 'and more']}, 400),
		'cwd: too long; and more',
	],
	['detail list', json({detail: [{loc: ['body', 'cwd'], msg: 'too long'}]}, 400), 'body.cwd: too long'],
	['a string', json('bad cwd', 400), 'bad cwd'],
	['text', body('bad\r\n\u001b[31mcwd\u0007', 400), 'bad [31mcwd'],
	['html', html(400, 'Bad Request'), 'a web page, "Bad Request"'],
	['broken json', body('{"message": "ba', 400), '{"message": "ba'],
	['numbers', json({title: 4, errors: {}, message: null}, 400), ''],
	['nothing', body('', 400), ''],
])('finds the words of a refusal: %s', async (_shape, reply, said) => {
	harness.server.answer(reply);
	const error = await errorOf(harness.service.computers.get('c1'));
	expect(error).toMatchObject({
		what: `The service refused the request (400)${said === '' ? '' : `: ${said}`}.`,
	});
});

test('a 404 names the address and its path, which may be wrong, but not the key', async () => {
	harness.server.otherwise(json({}, 404));
	const baseUrl = `${harness.server.url}/wrong/${canary.replaceAll('/', '-')}`;
	const key = new Secret(canary.replaceAll('/', '-'));
	const service = createHttpService({address: {baseUrl, appUrl: baseUrl, key}});
	onTestFinished(() => service.close());
	const error = await errorOf(service.computers.get('c1'));
	expect(error.message).toContain(`the service is at ${harness.server.url}/wrong/***`);
});

test.each<[string, () => Promise<unknown>, Record<string, unknown>, string]>([
	['a computer', () => harness.service.computers.get('c1'), {error: 'not found'}, 'Not found (404).'],
	[
		'a list',
		() => harness.service.controls.history(),
		{error: 'Not Found.'},
		"This service doesn't offer this (404).",
	],
	[
		'what creates',
		() => harness.service.computers.create({name: 'a', remoteUser: 'b'}),
		{},
		"This service doesn't offer this (404).",
	],
	[
		'a session',
		() => harness.service.sessions.create({computerId: 'c1'}),
		{message: 'no computer c1'},
		'Not found (404): no computer c1.',
	],
	[
		'the check of an address',
		() => harness.service.users.list({limit: 1}, {isAddressCheck: true}),
		{},
		'answers, but not as the service (404).',
	],
])('a 404 for %s says once what is missing', async (_, ask, reply, what) => {
	harness.server.otherwise(json(reply, 404));
	const {message} = await errorOf(ask());
	expect(message).toContain(what);
});

test("cuts a long explanation, and keeps and shows the request's id", async () => {
	harness.server.answer(json({message: 'x'.repeat(100_000)}, 400, {'x-request-id': 'req-7'}));
	const error = await errorOf(harness.service.computers.get('c1'));
	expect(error.message.length).toBeLessThan(500);
	expect(error).toMatchObject({requestId: 'req-7'});
	// Both the screen, which shows what went wrong, and stderr, which gets the message, name it.
	expect([error.message, problemOf(error, 0).what]).toEqual(
		Array(2).fill(expect.stringContaining('(request req-7).')),
	);
	harness.server.answer(json({title: 'x', requestId: 'req-8'}, 400));
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({requestId: 'req-8'});
	harness.server.answer(json({title: 'x', requestId: 'two\nlines'}, 400));
	expect(await errorOf(harness.service.computers.get('c1'))).toMatchObject({requestId: undefined});
});

const encoded = Buffer.from(canary).toString('base64');

test.each([
	['plain', body(`bad key ${canary}`, 401)],
	['json', json({error: `bad key ${canary}`, requestId: canary}, 401, {'x-request-id': canary})],
	['escaped', body(`{"error":"bad key ${canary.replace('s', '\\u0073')}"}`, 401)],
	['url-encoded', json({error: encodeURIComponent(canary)}, 401)],
	['base64', json({error: encoded}, 401)],
	['cut in the middle', json({error: `${'x'.repeat(285)}${canary}`}, 401)],
	['html', html(401, canary)],
	['a success that is none', body(`<h1>${canary}</h1>`, 200)],
	['a success of another shape', json({[canary]: canary}, 200)],
	['no HTTP', response => void response.socket?.end(`${canary}\r\n\r\n`)],
] satisfies [string, Reply][])("doesn't show the key when a response repeats it: %s", async (_how, reply) => {
	harness.server.answer(reply);
	const error = await errorOf(harness.service.messages.add('s1', draft));
	const shown = [
		String(error),
		error.stack,
		JSON.stringify(error),
		inspect(error, {depth: 10, showHidden: true}),
		inspect(harness.facts, {depth: 10}),
		inspect(harness.service, {depth: 10, showHidden: true}),
	].join('\n');
	for (const secret of [canary, canary.slice(0, 9), encoded, encodeURIComponent(canary)]) {
		expect(shown).not.toContain(secret);
	}
	expect(harness.server.requests[0]?.headers.authorization).toBe(`Bearer ${canary}`);
});
