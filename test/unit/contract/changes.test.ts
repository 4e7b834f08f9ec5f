import {expect, test} from 'vitest';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {storeMachine} from '../../support/machine-stand-in.ts';
import {createReadyComputer, whenAnswer, whenIdle} from '../../support/sessions.ts';

test('a change is told to whoever waits for it, once, also after a restart', async () => {
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	const {changes} = first.service.runningService;
	const computerId = await createReadyComputer(first.service);
	const before = await changes(0);
	expect(before).toMatchObject({sessions: [], addedIds: [], computerIds: [computerId]});

	const waiting = changes(before.cursor);
	const {sessionId} = await first.service.sessions.create({computerId});
	const added = await waiting;
	expect(added).toMatchObject({sessions: [{sessionId, computerId}], addedIds: [sessionId], computerIds: []});

	const {messageId} = await first.service.messages.add(sessionId, {text: 'echo done'});
	await whenAnswer(first.service, sessionId, messageId, ({content}) => content?.[0]?.text === 'done\n');
	await whenIdle(first.service, sessionId);
	const answered = await changes(added.cursor);
	expect(answered).toMatchObject({
		sessions: [{sessionId, title: 'echo done'}],
		addedIds: [],
		computerIds: [],
	});
	await first.close();

	const {service} = await startTestService({folder});
	expect(await service.runningService.changes(added.cursor)).toMatchObject({
		sessions: [{sessionId}],
		addedIds: [],
	});
	// A cursor of other data: everything is told.
	expect((await service.runningService.changes(1_000_000)).addedIds).toEqual([sessionId]);
});

test('a computer that is gone is told to nobody', async () => {
	const folder = temporaryFolder();
	const id = storeMachine(folder, ['false']);
	const {service} = await startTestService({folder});
	expect((await service.runningService.changes(0)).computerIds).toContain(id);
	await service.computers.forget(id, false);
	expect((await service.runningService.changes(0)).computerIds).not.toContain(id);
});
