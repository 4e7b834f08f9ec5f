import {expect, test} from 'vitest';
import {startTestService} from '../support/local-service.ts';
import {createSession, textOf, whenIdle} from '../support/sessions.ts';

test('a command that floods its answer is ended', async () => {
	const {service} = await startTestService();
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'yes'});
	await whenIdle(service, sessionId);
	const {items} = await service.messages.list(sessionId, {limit: 1});
	expect(items[0]?.isError).toBe(true);
	expect(textOf(items[0]).slice(-100)).toMatch(/\[ended: over 256 MiB of output\]$/);
});
