import {expect, test} from 'vitest';
import {NotFoundError} from '../../../src/api/errors.ts';
import {sharedTestServices} from '../../support/local-service.ts';
import {callRaw} from '../../support/raw-call.ts';
import {createSession, readAll, whenIdle} from '../../support/sessions.ts';

const shared = sharedTestServices();

const unknown = '00000000-0000-4000-8000-000000000000';

test('an error has the form that the contract describes for analytics', async () => {
	const {local, service} = await shared();
	const answer = await callRaw(local, 'GET', `/api/v0/computers/${unknown}`);
	expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json']);
	expect(answer.text).toMatch(
		/^\{"title":"Not found","detail":"there is no computer .*","status":404,"requestId"/,
	);
	await expect(service.computers.get(unknown)).rejects.toBeInstanceOf(NotFoundError);
	const analytics = await callRaw(local, 'GET', '/api/v1/analytics/tokens');
	expect(JSON.parse(analytics.text)).toMatchObject({title: 'Bad request', status: 400});
});

test('by default, messages have no role, and their blocks only an id and a text', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'true'});
	await whenIdle(service, sessionId);
	for (const message of await readAll(service, sessionId)) {
		expect(message).not.toHaveProperty('role');
		expect(Object.keys(message.content?.[0] ?? {}).toSorted()).toEqual(['id', 'text']);
	}
});
