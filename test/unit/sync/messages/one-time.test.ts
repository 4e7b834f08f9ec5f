import fc from 'fast-check';
import {expect, test} from 'vitest';
import {followerBench} from '../../../support/follower-bench.ts';

const at = 1_790_000_000_000;

type Listing = {
	readonly pages: 'tail' | 'head';
	readonly inside: 'ascending' | 'descending';
	/** Messages a page. */
	readonly size: number;
	/** Time of a message; the same for all unless given. */
	readonly timeOf?: (createdAt: number | undefined) => number;
};

/** A session whose messages all have one time, and what is shown of it. */
function session({pages, inside, size, timeOf = () => at}: Listing) {
	let bench = followerBench({pages, inside});
	const {model} = bench;
	model.shape = page => ({
		...page,
		items: page.items.map(message => ({...message, createdAt: timeOf(message.createdAt)})),
	});
	model.pagesAre = [size];
	const readAll = async () => {
		const follower = bench.open('s');
		await bench.arrive();
		for (let page = 0; page < 50 && bench.stream('s')?.hasOlder; page++)
			await Promise.all([follower.loadOlder(), bench.arrive()]);
		return bench.shown('s');
	};
	return {
		add: (count: number) => model.add('s', count),
		ids: () => model.ids('s'),
		readAll,
		async poll() {
			await bench.clock.advance(60_000);
			await bench.arrive();
			return bench.shown('s');
		},
		async restart() {
			await bench.stop();
			bench = bench.restart();
			return readAll();
		},
		end: () => bench.end(),
	};
}

const sorted = (ids: readonly string[]) => ids.toSorted();

const listings = (['tail', 'head'] as const).flatMap(pages =>
	(['ascending', 'descending'] as const).map(inside => ({pages, inside, size: 20})),
);

test.each(listings)(
	'$pages first, $inside, $size a page: shows sixty messages of one time, then more',
	async listing => {
		for (const count of [1, 30]) {
			const one = session(listing);
			try {
				one.add(60);
				expect(sorted(await one.readAll())).toEqual(sorted(one.ids()));
				one.add(count);
				// Where the new ones stand tells the order of all, unless they fill pages of their own.
				const shown = await one.poll();
				expect(sorted(shown)).toEqual(sorted(one.ids()));
				const isTold = listing.pages === 'tail' || listing.inside === 'ascending' || 60 % listing.size > 0;
				if (isTold) expect(shown).toEqual(one.ids());
				expect(await one.restart()).toEqual(shown);
			} finally {
				await one.end();
			}
		}
	},
);

test.each(listings)(
	'$pages first, $inside, $size a page: a message with another time reveals the order',
	async listing => {
		const isLast = (createdAt = at) => createdAt >= at + 60_000;
		const one = session({...listing, timeOf: createdAt => (isLast(createdAt) ? at + 1 : at)});
		try {
			one.add(60);
			await one.readAll();
			one.add(1);
			const shown = await one.poll();
			expect(sorted(shown)).toEqual(sorted(one.ids()));
			expect(shown.at(-1)).toBe(one.ids().at(-1));
			expect(await one.restart()).toEqual(shown);
		} finally {
			await one.end();
		}
	},
);

test('loses no message, whenever the program restarts, and a restart keeps their order', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				pages: fc.constantFrom('tail' as const, 'head' as const),
				inside: fc.constantFrom('ascending' as const, 'descending' as const),
				size: fc.integer({min: 20, max: 50}),
			}),
			fc.array(fc.integer({min: 1, max: 25}), {minLength: 1, maxLength: 4}),
			async (listing, counts) => {
				const one = session(listing);
				try {
					let shown: readonly string[] = [];
					for (const [index, count] of counts.entries()) {
						one.add(count);
						shown = await (index === 0 ? one.readAll() : one.poll());
						if (!shown.includes('gap')) expect(sorted(shown)).toEqual(sorted(one.ids()));
						const kept = await one.restart();
						if (!kept.includes('gap')) expect(sorted(kept)).toEqual(sorted(one.ids()));
					}
					expect(await one.restart()).toEqual(await one.poll());
				} finally {
					await one.end();
				}
			},
		),
		{numRuns: 6},
	);
});
