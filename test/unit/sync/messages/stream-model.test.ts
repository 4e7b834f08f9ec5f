import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

/** What may happen to a session, and to whoever reads it. Numbers pick one of the newest messages. */
const step = fc.oneof(
	fc.record({
		type: fc.constant('add' as const),
		count: fc.integer({min: 1, max: 3}),
		role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
		lag: fc.constantFrom(0, 0, 0, 7_000),
	}),
	fc.record({type: fc.constant('edit' as const), newest: fc.nat(4)}),
	fc.record({type: fc.constant('wait' as const), ms: fc.constantFrom(50, 1_500, 20_000)}),
	fc.record({
		type: fc.constantFrom('kick' as const, 'refresh' as const, 'restart' as const, 'older' as const),
	}),
);

/** Messages that stay within what a poll refreshes: what is edited further back is not asked for. */
const maxMessages = 10;

test.each([
	{pages: 'newest-first', inside: 'descending'},
	{pages: 'newest-first', inside: 'ascending'},
	{pages: 'oldest-first', inside: 'ascending'},
	{pages: 'oldest-first', inside: 'descending'},
] as const)(', $inside: late and edited messages, read in any order, give the same stream', async order => {
	await fc.assert(
		fc.asyncProperty(fc.nat(6), fc.array(step, {maxLength: 14}), async (count, steps) => {
			let bench: FollowerBench = followerBench(order);
			try {
				const {model, clock} = bench;
				const expected = new Map<string, string>();
				const add = (...args: Parameters<typeof model.add>) => {
					for (const id of model.add(...args)) expected.set(id, id);
				};
				add('s', count);
				let follower = bench.open('s');
				for (const [index, one] of steps.entries()) {
					const newest = 'newest' in one ? [...expected.keys()].at(-1 - one.newest) : undefined;
					if (one.type === 'add' && expected.size + one.count <= maxMessages) {
						model.lag = one.lag;
						add('s', one.count, one.role);
						model.lag = 0;
					} else if (one.type === 'edit' && newest !== undefined) {
						expected.set(newest, `edited ${index}`);
						model.edit('s', newest, `edited ${index}`);
					} else if (one.type === 'wait') await clock.advance(one.ms);
					else if (one.type === 'kick' || one.type === 'refresh') follower[one.type]();
					else if (one.type === 'older') void follower.loadOlder();
					else if (one.type === 'restart') {
						await bench.stop();
						bench = bench.restart();
						follower = bench.open('s');
					}
					await bench.arrive();
				}
				follower.kick();
				await clock.advance(61_000);
				await bench.arrive();
				const entries = bench.stream('s')?.entries ?? [];
				const shown = entries.map(
					entry => entry.kind === 'message' && [entry.id, entry.message.content?.[0]?.text],
				);
				expect(shown).toEqual([...expected]);
				expect(bench.database.messages.tail('s', 99).map(({message}) => message.id)).toEqual([
					...expected.keys(),
				]);
			} finally {
				await bench.end();
			}
		}),
		{numRuns: 6},
	);
});
