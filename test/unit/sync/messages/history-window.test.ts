import {afterEach, expect, test} from 'vitest';
import type {Follower} from '../../../../src/sync/messages/follower.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

async function older(follower: Follower): Promise<void> {
	const loading = follower.loadOlder();
	await bench.arrive();
	await loading;
}

/** A session whose whole history is kept, freshly opened: its newest messages are in memory. */
async function kept(count: number): Promise<{ids: readonly string[]; follower: Follower}> {
	bench = followerBench({pages: 'oldest-first'});
	const ids = bench.model.add('s', count);
	await bench.arrive();
	bench.open('s');
	for (let turn = 0; turn < 4; turn++) await bench.arrive();
	await bench.stop();
	bench = bench.restart();
	const follower = bench.open('s');
	for (let turn = 0; turn < 2; turn++) await bench.arrive();
	return {ids, follower};
}

test('a jump loads the messages around one, and reading on leads to the newest without a gap', async () => {
	const {ids, follower} = await kept(1200);
	follower.showMessage(ids[300] ?? '');
	await bench.arrive();
	expect(bench.shown('s')).toContain(ids[300]);
	expect(bench.stream('s')).toMatchObject({hasNewer: true, hasOlder: true});
	expect(bench.shown('s').length).toBeLessThan(400);
	for (let turn = 0; turn < 10 && bench.stream('s')?.hasNewer; turn++) {
		follower.loadNewer();
		await bench.arrive();
	}
	const shown = bench.shown('s');
	expect(shown).toEqual(ids.slice(-shown.length));
	expect(shown).toContain(ids[300]);
});

test("new messages don't disturb it, and one step leads back to them", async () => {
	const {ids, follower} = await kept(600);
	follower.showMessage(ids[50] ?? '');
	await bench.arrive();
	const before = bench.shown('s');
	const [fresh = ''] = bench.model.add('s', 1);
	follower.kick();
	await bench.arrive();
	expect(bench.shown('s')).toEqual(before);
	follower.showNewest();
	await bench.arrive();
	expect(bench.shown('s').at(-1)).toBe(fresh);
	expect(bench.stream('s')?.hasNewer).toBe(false);
});

test("a jump to a message in the window or to one that isn't stored changes nothing", async () => {
	const {ids, follower} = await kept(300);
	const before = bench.shown('s');
	follower.showMessage(ids.at(-1) ?? '');
	follower.showMessage('nowhere');
	await bench.arrive();
	expect(bench.shown('s')).toEqual(before);
	expect(bench.stream('s')?.hasNewer).toBe(false);
});

test('memory holds a limited range, however far back the reader goes', async () => {
	const {ids, follower} = await kept(6_400);
	let max = 0;
	for (let turn = 0; turn < 60 && bench.stream('s')?.hasOlder; turn++) {
		await older(follower);
		max = Math.max(max, bench.shown('s').length);
	}
	expect(bench.shown('s')[0]).toBe(ids[0]);
	expect(max).toBeLessThanOrEqual(5_200);
	expect(bench.stream('s')).toMatchObject({hasNewer: true, hasOlder: false});
	expect(bench.shown('s').length).toBeLessThanOrEqual(2_000);
});

test('loads messages older than the stored ones from the service', async () => {
	bench = followerBench({pages: 'newest-first'});
	const ids = bench.model.add('s', 900);
	let follower = bench.open('s');
	for (let turn = 0; turn < 3; turn++) await bench.arrive();
	for (let turn = 0; turn < 3; turn++) await older(follower);
	const oldest = bench.shown('s')[0] ?? '';
	await bench.stop();
	bench = bench.restart();
	follower = bench.open('s');
	for (let turn = 0; turn < 2; turn++) await bench.arrive();
	follower.showMessage(oldest);
	for (let turn = 0; turn < 12 && bench.stream('s')?.hasOlder; turn++) await older(follower);
	const shown = bench.shown('s');
	expect(shown).toEqual(ids.slice(0, shown.length));
	expect(shown).toContain(oldest);
});
