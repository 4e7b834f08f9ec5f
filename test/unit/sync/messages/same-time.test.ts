import {expect, test} from 'vitest';
import {followerBench} from '../../../support/follower-bench.ts';

const start = 1_790_000_000_000;

/** Messages 50 to 350 have one time, and 420 to 560 another one: more than a page each. */
function timeOf(createdAt = start): number {
	const position = (createdAt - start) / 1000;
	if (position >= 50 && position <= 350) return start + 200_000;
	return position >= 420 && position <= 560 ? start + 500_000 : createdAt;
}

test.each(['newest-first', 'oldest-first'] as const)(
	'messages with the same time keep their order across pages and a restart, %s',
	async pages => {
		let bench = followerBench({pages});
		const {model} = bench;
		try {
			model.shape = page => ({
				...page,
				items: page.items.map(message => ({...message, createdAt: timeOf(message.createdAt)})),
			});
			const ids = [...model.add('s', 400)];
			const readAll = async () => {
				const follower = bench.open('s');
				await bench.arrive();
				while (bench.stream('s')?.hasOlder) await Promise.all([follower.loadOlder(), bench.arrive()]);
				return bench.shown('s');
			};
			expect(await readAll()).toEqual(ids);
			for (const count of [0, 200, 0]) {
				await bench.stop();
				ids.push(...model.add('s', count));
				bench = bench.restart();
				expect(await readAll()).toEqual(ids);
			}
		} finally {
			await bench.end();
		}
	},
);
