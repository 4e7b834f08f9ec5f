import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {startTestService} from '../../support/local-service.ts';

test.each([
	['another instance has taken the session over', `UPDATE sessions SET runner = 'another'`],
	['its session is gone', 'DELETE FROM messages; DELETE FROM sessions'],
])('a turn whose service lost the right to run it ends, and the service goes on: %s', async (_, loss) => {
	const {service, local, folder} = await startTestService();
	const {id: computerId} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await eventually(async () => expect((await service.computers.get(computerId)).status).toBe('active'));
	const {sessionId} = await service.sessions.create({computerId, cwd: folder});
	await service.messages.add(sessionId, {text: 'until [ -e go ]; do sleep 0.05; done'});
	await eventually(() => expect(local.agentsAtWork()).toBe(1));
	const file = new DatabaseSync(join(folder, 'service.sqlite'));
	file.exec(loss);
	file.close();
	writeFileSync(join(folder, 'go'), '');
	await eventually(() => expect(local.agentsAtWork()).toBe(0));
	expect((await service.computers.get(computerId)).name).toBe('box');
});
