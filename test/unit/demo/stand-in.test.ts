import {join} from 'node:path';
import {expect, test} from 'vitest';
import {seed} from '../../../src/demo/seed.ts';
import {createStandIn} from '../../../src/demo/stand-in.ts';
import {addDays, utcDayOf} from '../../../src/domain/time.ts';
import type {OpenOptions} from '../../../src/local/agents/agent-session.ts';
import {makePrivateFolder} from '../../../src/local/private-folder.ts';
import {openStorage} from '../../../src/local/storage/open-storage.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

test('the demo has forty sessions, and something for each view', async () => {
	const home = temporaryFolder();
	const folder = join(home, 'local');
	makePrivateFolder(folder);
	const storage = openStorage(folder);
	const seeded = seed(storage, home, Date.now());
	storage.close();
	// As its help says.
	expect(seeded).toHaveLength(40);
	const {service} = await startTestService({folder, agent: 'claude', standIn: createStandIn(home, seeded)});
	const computers = await Promise.all(
		[...new Set(seeded.map(({computerId}) => computerId))].map(id => service.computers.get(id)),
	);
	expect(computers).toContainEqual(expect.objectContaining({name: 'data-eu', status: 'provisioning'}));
	const endDate = utcDayOf(Date.now());
	const range = {startDate: addDays(endDate, -84), endDate, includesToday: true};
	const {rows} = await service.analytics.tokens({...range, groupBy: 'model'});
	expect(rows.flatMap(row => row.by_model ?? [])).toContainEqual(
		expect.objectContaining({model_id: 'claude-sonnet-4-5'}),
	);
	expect((await service.readiness.list()).items).toContainEqual(
		expect.objectContaining({repoUrl: 'https://git.example.org/ranking'}),
	);
	expect((await service.users.list()).items).toContainEqual(
		expect.objectContaining({email: 'daniel.novak@harbor.example'}),
	);
	expect((await service.controls.history()).items).toContainEqual(expect.objectContaining({revision: 12}));
	const activity = await service.analytics.users({...range, limit: 100});
	expect(activity.rows).toContainEqual(expect.objectContaining({user_email: 'mehmet.yilmaz@harbor.example'}));
});

test('in the demo, only the first reply of the user is asked about', async () => {
	const agent = createStandIn('/', []).findAgent('claude');
	const asks = async (sessionId: string) => {
		const ended = new AbortController();
		let asked = false;
		const session = await agent?.open?.({
			sessionId,
			signal: ended.signal,
			onEvent({kind}) {
				asked ||= kind === 'request';
				if (kind !== 'usage') ended.abort();
			},
		} as OpenOptions);
		await session?.prompt([{kind: 'text', text: 'go on'}]);
		return asked;
	};
	expect([await asks('a'), await asks('a'), await asks('b')]).toEqual([true, false, false]);
});
