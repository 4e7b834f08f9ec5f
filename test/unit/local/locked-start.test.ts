import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {startLocalService} from '../../../src/local/start-local-service.ts';
import {eventually} from '../../support/eventually.ts';
import {startTestService} from '../../support/local-service.ts';
import {createSession} from '../../support/sessions.ts';

test('a start that finds its database locked says so, and the next one settles what was left', async () => {
	const {service, folder, close} = await startTestService();
	const sessionId = await createSession(service, folder);
	await close();
	const file = new DatabaseSync(join(folder, 'service.sqlite'));
	file.prepare('UPDATE sessions SET is_running = 1 WHERE id = ?').run(sessionId);
	const starting = startLocalService({folder});
	// It has opened the database, and waits for its socket.
	file.exec('BEGIN IMMEDIATE');
	await expect(starting).rejects.toThrow(/^the service's database .* another program has locked it/);
	file.exec('ROLLBACK');
	const {service: next} = await startTestService({folder});
	await eventually(async () => {
		const {items} = await next.messages.list(sessionId, {limit: 10});
		expect(JSON.stringify(items)).toContain('the service was stopped');
	});
	file.close();
}, 30_000);
