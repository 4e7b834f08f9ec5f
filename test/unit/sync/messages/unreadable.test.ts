import {expect, onTestFinished, test} from 'vitest';
import {followerBench} from '../../../support/follower-bench.ts';

test('reports unreadable messages along with the readable ones, even if they appear later', async () => {
	const bench = followerBench({pages: 'newest-first'});
	onTestFinished(() => bench.end());
	const {model} = bench;
	const ids = model.add('s', 2);
	const follower = bench.open('s');
	await bench.arrive();
	expect(bench.stream('s')?.hasUnreadable).toBe(false);
	model.shape = page => ({...page, skipped: 1});
	follower.refresh();
	await bench.arrive();
	expect(bench.stream('s')).toMatchObject({phase: {name: 'ready'}, hasUnreadable: true});
	expect(bench.shown('s')).toEqual(ids);
});
