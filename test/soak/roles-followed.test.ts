import fc from 'fast-check';
import {expect, test} from 'vitest';
import {messageRoles} from '../../src/domain/messages/message.ts';
import {followerBench} from '../support/follower-bench.ts';
import {fill, orders, pagesFor, sessionOf} from '../support/role-reading.ts';

const live = fc.record({
	session: sessionOf(fc.integer({min: 1, max: 400})),
	/** How much later than the plain listing those by role show a message, ms. */
	roleLag: fc.constantFrom(0, 0, 0, 4_000, 25_000),
	/** Now and then a `role=` listing gives a cursor a second time. */
	repeatsCursors: fc.boolean(),
	steps: fc.array(
		fc.record({
			count: fc.integer({min: 1, max: 4}),
			role: fc.constantFrom(...messageRoles),
			lag: fc.constantFrom(0, 0, 0, 7_000),
			wait: fc.constantFrom(0, 300, 3_000, 40_000),
			restarts: fc.integer({min: 0, max: 9}).map(pick => pick === 0),
		}),
		{maxLength: 7},
	),
});

/**
 * Listings that may be asked for a change, and on opening: one page of each where pages are whole, else as many as hold
 * what the change reaches.
 */
const listingsPerChange = 3;
/** While a `role=` listing lags a change is asked about again, ever more rarely. */
const triesPerChange = 6;
/** Time of each request, ms. If it were none, the clock would leap over a walk that is under way. */
const latency = 20;

test.each(orders)('never shows a wrong role while following a session, %s first', async pages => {
	await fc.assert(
		fc.asyncProperty(live, async ({session: one, roleLag, repeatsCursors, steps}) => {
			let bench = followerBench({pages, isLive: true, latency});
			try {
				const {model, clock} = bench;
				const roles = fill(bench, {...one, pages});
				// A listing of short pages that also leads back every few of them never comes to its end.
				const isLong = (size: number) => Math.max(20, size);
				model.pagesAre = repeatsCursors ? one.pageSizes.map(isLong) : one.pageSizes;
				model.roleLag = roleLag;
				let wrong = 0;
				const watch = () =>
					bench.stores.streams.subscribe(({open}) => {
						for (const entry of open.get('s')?.entries ?? [])
							if (entry.kind === 'message' && entry.role && entry.role !== roles.get(entry.id)) wrong++;
					});
				await clock.advance(3_600_000);
				let asked = 0;
				model.shape = (page, {role, cursor}) => {
					const isSaved = !repeatsCursors || !role || page.nextCursor === undefined || cursor === undefined;
					return isSaved || ++asked % 7 > 0 ? page : {...page, nextCursor: cursor};
				};
				watch();
				let follower = bench.open('s');
				follower.setFocused(true);
				await clock.advance(90_000);
				model.clear();
				for (const {count, role, lag, wait, restarts} of steps) {
					model.lag = lag;
					for (const id of model.add('s', count, role)) roles.set(id, role);
					model.lag = 0;
					if (restarts) {
						await bench.stop();
						bench = bench.restart();
						watch();
						follower = bench.open('s');
						follower.setFocused(true);
					} else follower.kick();
					await bench.arrive();
					await clock.advance(wait);
				}
				model.shape = page => page;
				for (let turn = 0; turn < (repeatsCursors ? 12 : 4); turn++) {
					follower.kick();
					await clock.advance(61_000);
					await bench.arrive();
				}
				const roleRequests = model.requests.filter(({query}) => query?.role).length;
				for (let turn = 0; turn < 60 && bench.stream('s')?.hasOlder; turn++) {
					const older = follower.loadOlder();
					let isLoading = true;
					void older.finally(() => {
						isLoading = false;
					});
					while (isLoading) await clock.advance(1_000);
				}
				await clock.advance(150_000);
				const entries = bench.stream('s')?.entries ?? [];
				const missing = entries.filter(entry => entry.kind === 'message' && !entry.role).length;
				expect({wrong, missing}).toEqual({wrong: 0, missing: 0});
				model.clear();
				follower.kick();
				await bench.arrive();
				expect(model.requests.filter(({query}) => query?.role)).toEqual([]);
				const isPlain = roleLag === 0 && !repeatsCursors && one.pageSizes.length === 0;
				const tries = isPlain ? 1 : triesPerChange;
				const pagesOf = (count: number) => (isPlain ? 1 : pagesFor(count, one.pageSizes));
				const changed = steps.reduce((sum, {count}) => sum + count, 0);
				const openings = 1 + steps.filter(({restarts}) => restarts).length;
				const max =
					listingsPerChange * (openings * pagesOf(roles.size) + steps.length * tries * pagesOf(changed));
				expect(roleRequests).toBeLessThanOrEqual(max);
			} finally {
				await bench.end();
			}
		}),
		{numRuns: 20, endOnFailure: true},
	);
});
