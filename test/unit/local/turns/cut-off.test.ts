import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import type {Service} from '../../../../src/api/service.ts';
import {eventually} from '../../../support/eventually.ts';
import {startTestService, temporaryFolder} from '../../../support/local-service.ts';
import {addTirelessClient} from '../../../support/replayed-agents.ts';
import {createReadyComputer, createSession, readAll, textOf, whenIdle} from '../../../support/sessions.ts';

async function textsOf(service: Service, sessionId: string): Promise<string[]> {
	return (await readAll(service, sessionId)).map(textOf);
}

const cutOffIds = async (service: Service) => [...(await service.runningService.status()).cutOffIds].sort();

/** Sessions whose agents are at work. */
async function startWork(service: Service, folder: string, count: number): Promise<string[]> {
	const computerId = await createReadyComputer(service);
	const ids: string[] = [];
	for (let n = 0; n < count; n++) {
		const {sessionId} = await service.sessions.create({computerId, cwd: folder, agent: 'claude'});
		await service.messages.add(sessionId, {text: 'work'});
		await eventually(async () => expect(await textsOf(service, sessionId)).toContain('at work'));
		ids.push(sessionId);
	}
	return ids;
}

test('what was at work when the service ended is continued once, by its own resume', async () => {
	addTirelessClient();
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	const ids = await startWork(first.service, folder, 3);
	const [queued = '', ...others] = ids;
	await first.service.messages.add(queued, {text: 'finish'});
	const shell = await createSession(first.service, folder);
	await first.service.messages.add(shell, {text: 'sleep 1000'});
	await first.close();

	const {service} = await startTestService({folder});
	await whenIdle(service, queued);
	expect((await textsOf(service, queued)).at(-1)).toBe('done, resumed');
	expect(await cutOffIds(service)).toEqual(others.sort());
	expect([...(await service.runningService.settleCutOff(true))].sort()).toEqual(others);
	expect(await service.runningService.settleCutOff(true)).toEqual([]);
	for (const id of others) {
		await eventually(async () =>
			expect((await textsOf(service, id)).slice(-2)).toEqual(['continue', 'done, resumed']),
		);
	}
	expect(await cutOffIds(service)).toEqual([]);
});

test('what the user ended or left so is offered no more; what a kill cut off is', async () => {
	addTirelessClient();
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	const [id = ''] = await startWork(first.service, folder, 1);
	await first.local.close(true);

	const second = await startTestService({folder});
	expect(await cutOffIds(second.service)).toEqual([]);
	await second.close();
	// As a killed service leaves it.
	const file = new DatabaseSync(join(folder, 'service.sqlite'));
	file.prepare('UPDATE sessions SET is_running = 1 WHERE id = ?').run(id);
	file.close();

	const third = await startTestService({folder});
	expect(await cutOffIds(third.service)).toEqual([id]);
	expect(await third.service.runningService.settleCutOff(false)).toEqual([id]);
	await third.close();
	const {service} = await startTestService({folder});
	expect(await cutOffIds(service)).toEqual([]);
	expect(await textsOf(service, id)).not.toContain('continue');
});
