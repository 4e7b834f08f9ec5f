import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {Fleet} from '../../../src/state/fleet.ts';
import {createStores} from '../../../src/state/stores.ts';
import {Engine} from '../../../src/sync/engine.ts';
import {eventually} from '../../support/eventually.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {createReadyComputer} from '../../support/sessions.ts';

test('what others do at the embedded service is seen without a poll: its clock stands still', async () => {
	const {service} = await startTestService();
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	const stores = createStores();
	const clock = fakeClock();
	const isEmbedded = () => true;
	const engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', isEmbedded});
	onTestFinished(async () => {
		await engine.stop();
		database.close();
	});
	await engine.start();
	/** The rest between two answers passes, and too little for what is read from time to time. */
	const told = (isSo: (fleet: Fleet) => boolean) =>
		eventually(async () => {
			await clock.advance(10);
			expect(isSo(stores.fleet.getState())).toBe(true);
		});
	const computer = await createReadyComputer(service);
	await told(({computers}) => computers.get(computer)?.computer?.status === 'active');

	const tags = [{name: 'release'}];
	const session = await service.sessions.create({computerId: computer, sessionSettings: {tags}});
	const {sessionId} = session;
	await told(({sessions}) => sessions.get(sessionId)?.computerId === computer);
	await told(
		({sessions}) => sessions.get(sessionId)?.session?.sessionSettings?.tags?.[0]?.name === 'release',
	);
	// The answer to whoever created it may come later than that.
	engine.sessions.remember(session, 'created', 'created');
	expect(stores.fleet.getState().sessions.get(sessionId)?.origin).toBe('created');
	await service.messages.add(sessionId, {text: 'echo "Which one?"'});
	await told(({sessions}) => sessions.get(sessionId)?.activity?.words?.includes('Which one?') === true);
});

test('what was forgotten is not added again by a program that starts later', async () => {
	const {service} = await startTestService();
	const file = join(temporaryFolder(), 'kept.db');
	const open = async () => {
		const database = openDatabase({file});
		const stores = createStores();
		const clock = fakeClock();
		const isEmbedded = () => true;
		const engine = new Engine({service, database, stores, clock, owner: 'test', hooks: 'off', isEmbedded});
		onTestFinished(async () => {
			await engine.stop();
			database.close();
		});
		await engine.start();
		const ids = () => [...stores.fleet.getState().sessions.keys()];
		const told = (expected: readonly string[]) =>
			eventually(async () => {
				await clock.advance(10);
				expect(ids()).toEqual(expected);
			});
		return {engine, told};
	};
	const computerId = await createReadyComputer(service);
	const first = await open();
	const {sessionId: old} = await service.sessions.create({computerId});
	await first.told([old]);
	first.engine.registry.forgetSession(old);
	await first.told([]);
	const second = await open();
	const {sessionId} = await service.sessions.create({computerId});
	await second.told([sessionId]);
});
