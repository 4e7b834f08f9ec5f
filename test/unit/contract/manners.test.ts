import {expect, test} from 'vitest';
import {LostResponseError, NotFoundError, RejectedError} from '../../../src/api/errors.ts';
import type {TestVariant} from '../../../src/local/local-service.ts';
import {eventually} from '../../support/eventually.ts';
import {startTestService} from '../../support/local-service.ts';
import {callRaw} from '../../support/raw-call.ts';
import {createReadyComputer, createSession, readAll, whenIdle} from '../../support/sessions.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

test.each<[TestVariant['errorShape'], string, RegExp]>([
	[
		'problem',
		'application/json',
		/^\{"title":"Not found","detail":"there is no computer .*","status":404,"requestId"/,
	],
	['error', 'application/json', /^\{"error":"there is no computer/],
	['message', 'application/json', /^\{"message":"there is no computer/],
	['text', 'text/plain; charset=utf-8', /^there is no computer/],
	['html', 'text/html; charset=utf-8', /^<!doctype html>/],
	['empty', 'text/plain', /^$/],
])('errors come as %s', async (errorShape, type, pattern) => {
	const {local, service} = await startTestService({variant: {errorShape}});
	const answer = await callRaw(local, 'GET', `/api/v0/computers/${unknown}`);
	expect([answer.status, answer.headers['content-type']]).toEqual([404, type]);
	expect(answer.text).toMatch(pattern);
	await expect(service.computers.get(unknown)).rejects.toBeInstanceOf(NotFoundError);
	// The body of analytics errors is in the contract.
	const analytics = await callRaw(local, 'GET', '/api/v1/analytics/tokens');
	expect(JSON.parse(analytics.text)).toMatchObject({title: 'Bad request', status: 400});
});

test('a post can be applied and its answer lost', async () => {
	const {service} = await startTestService({variant: {losesEveryNthPost: 4}});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'echo heard'});
	await whenIdle(service, sessionId);
	await expect(service.messages.add(sessionId, {text: 'echo lost'})).rejects.toBeInstanceOf(
		LostResponseError,
	);
	await whenIdle(service, sessionId);
	const texts = (await readAll(service, sessionId)).map(({content}) => content?.[0]?.text);
	expect(texts.toSorted()).toEqual(['echo heard', 'echo lost', 'heard\n', 'lost\n']);
});

test('a probe can be refused, and a change still goes through', async () => {
	const {service} = await startTestService({variant: {refusesProbe: true}});
	const sessionId = await createSession(service);
	await expect(service.sessions.update(sessionId, {})).rejects.toBeInstanceOf(RejectedError);
	const changed = await service.sessions.update(sessionId, {sessionSettings: {model: 'm'}});
	expect(changed.sessionSettings).toEqual({model: 'm'});
});

test('a new session can be unknown for a while', async () => {
	const {service} = await startTestService({variant: {notFoundAfterCreate: 300}});
	const computerId = await createReadyComputer(service);
	const {sessionId} = await service.sessions.create({computerId});
	await expect(service.messages.list(sessionId)).rejects.toBeInstanceOf(NotFoundError);
	await eventually(async () => expect(await service.messages.list(sessionId)).toMatchObject({items: []}));
});

test('what was not asked for is not there', async () => {
	const {service} = await startTestService();
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'true'});
	await whenIdle(service, sessionId);
	for (const message of await readAll(service, sessionId)) {
		expect(message).not.toHaveProperty('role');
		expect(Object.keys(message.content?.[0] ?? {}).toSorted()).toEqual(['id', 'text']);
	}
});
