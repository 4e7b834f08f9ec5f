import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {accountDatabase, openDatabase} from '../../../../src/db/open-database.ts';
import {createOutboxStore} from '../../../../src/state/stores.ts';
import {OutboxSender} from '../../../../src/sync/outbox/outbox-sender.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {acceptedTexts} from '../../../support/outbox-bench.ts';
import {modelService} from '../../../support/post-service.ts';

test('posts a message never with another account’s key, and with its own once that is in use again', async () => {
	const clock = fakeClock();
	const folder = temporaryFolder();
	const [own, machine] = ['own', 'machine'].map(name =>
		openDatabase({file: join(folder, name), now: clock.now}),
	);
	if (!own || !machine) throw new Error('nothing was opened');
	let isCurrent = true;
	const database = accountDatabase(own, machine, {id: 'acme', isCurrent: () => isCurrent});
	const model = modelService(clock, {next: () => 'accepted'});
	const sender = new OutboxSender({
		database,
		service: model,
		store: createOutboxStore(),
		clock,
		owner: 'me',
	});
	onTestFinished(async () => {
		await sender.stop();
		own.close();
		machine.close();
	});
	const other = {id: 'theirs', accountId: 'beta', sessionId: 'of-beta', text: 'not for acme'};
	database.outbox.put({...other, images: [], files: [], state: 'queued', createdAt: clock.now(), tries: 0});
	// Another program has joined the account to another one, or forgotten it.
	isCurrent = false;
	sender.start();
	const {id} = await sender.enqueue('s', {text: 'for acme'});
	await clock.advance(60_000);
	expect(model.accepted('s')).toEqual([]);
	expect(database.outbox.get(id)).toMatchObject({
		state: 'queued',
		accountId: 'acme',
		problem: expect.stringContaining('another account'),
	});
	isCurrent = true;
	sender.resume();
	await clock.advance(60_000);
	expect(acceptedTexts(model)).toEqual(['for acme']);
	expect(model.accepted('of-beta')).toEqual([]);
	expect(database.outbox.get('theirs')).toMatchObject({state: 'queued'});
});
