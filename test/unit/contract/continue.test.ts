import {expect, test} from 'vitest';
import {startTestService} from '../../support/local-service.ts';
import {createReadyComputer} from '../../support/sessions.ts';

test('one session at a time continues a conversation; an archived one no longer counts', async () => {
	const {service} = await startTestService();
	const computerId = await createReadyComputer(service);
	const draft = {computerId, agent: 'claude', resume: 'conversation-1'};
	const isTaken = {status: 409, what: expect.stringContaining('already continues this conversation')};
	const attempts = await Promise.allSettled([service.sessions.create(draft), service.sessions.create(draft)]);
	const refused = attempts.filter(attempt => attempt.status === 'rejected');
	expect(refused).toMatchObject([{reason: isTaken}]);
	const [made] = attempts.flatMap(attempt =>
		attempt.status === 'fulfilled' ? [attempt.value.sessionId] : [],
	);
	expect(`${refused[0]?.reason.what}`).toContain(`${made}`);
	await service.sessions.create({...draft, resume: 'conversation-2'});
	await service.sessions.create({...draft, agent: 'codex'});
	await service.sessions.update(`${made}`, {sessionSettings: {archivedAt: '2026-11-01T00:00:00Z'}});
	await service.sessions.create(draft);
	await expect(service.sessions.create(draft)).rejects.toMatchObject(isTaken);
});
