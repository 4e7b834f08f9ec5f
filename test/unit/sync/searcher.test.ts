import {describe, expect, test} from 'vitest';
import type {FindStep} from '../../../src/db/database.ts';
import {StorageError} from '../../../src/db/storage-error.ts';
import {bitByBit} from '../../../src/sync/bit-by-bit.ts';
import {createSearcher, type Finding} from '../../../src/sync/searcher.ts';
import {fakeClock} from '../../support/fake-clock.ts';

/** Steps that take so long each, by a clock that they move. */
function slowly<Step>(steps: readonly Step[], ms: number) {
	const still = fakeClock();
	let passed = 0;
	const taken: Step[] = [];
	function* run() {
		for (const step of steps) {
			passed += ms;
			taken.push(step);
			yield step;
		}
	}
	return {clock: {...still, now: () => still.now() + passed}, still, taken, steps: run()};
}

describe('bit by bit', () => {
	test('what is short is done at once', () => {
		const {clock, steps, still} = slowly([1, 2, 3], 0);
		const told: unknown[] = [];
		bitByBit(clock, steps, (...args) => told.push(args));
		expect(told).toEqual([[[1, 2, 3], true]]);
		expect(still.pending).toBe(0);
	});

	test('what is long gives way after each turn, and tells from time to time and at the end', async () => {
		const all = Array.from({length: 40}, (_, index) => index);
		const {clock, steps, still, taken} = slowly(all, 3);
		const told: [readonly number[], boolean][] = [];
		bitByBit(clock, steps, (...args) => told.push(args));
		expect(told).toEqual([[[0], false]]);
		expect([taken.length, still.pending]).toEqual([1, 1]);
		await still.advance(0);
		expect(told.flatMap(([done]) => done)).toEqual(all);
		expect(told.map(([, isOver]) => isOver)).toEqual([false, false, true]);
	});

	test('ended, it does and tells nothing more', async () => {
		const {clock, steps, still, taken} = slowly([1, 2, 3, 4, 5, 6], 3);
		let calls = 0;
		const end = bitByBit(clock, steps, () => calls++);
		end();
		await still.advance(1000);
		expect([taken.length, calls, still.pending]).toEqual([1, 1, 0]);
	});
});

describe('searcher', () => {
	const searching = (find: (words: string) => Iterable<FindStep>, clock = fakeClock()) => {
		const told: Finding[] = [];
		const searcher = createSearcher(
			{find: (_session, words) => find(words), idOf: key => `id ${key}`, search: () => []},
			clock,
		);
		const look = (words: string, from?: string) =>
			searcher.inSession('s', words, from, finding => told.push(finding));
		return {look, told, searcher};
	};

	test('the nearest is the first that is not newer than the reader, or the oldest when all are', () => {
		const {look, told, searcher} = searching(words =>
			words === 'all newer'
				? [{keys: [30, 20], newer: 2}]
				: [
						{keys: [60, 50], newer: 2},
						{keys: [], newer: 0},
						{keys: [40, 30, 20], newer: 1},
					],
		);
		look('some', 'here');
		expect(told).toEqual([{count: 5, nearest: 3, isOver: true}]);
		expect([0, 3, 5].map(searcher.idAt)).toEqual(['id 60', 'id 30', undefined]);
		look('all newer', 'here');
		expect(told.at(-1)).toEqual({count: 2, nearest: 1, isOver: true});
	});

	test('a new search ends the one before; a file that can no longer be read ends it where it is', async () => {
		const slow = slowly(
			[1, 2, 3, 4].map(key => ({keys: [key], newer: 0})),
			10,
		);
		const {look, told, searcher} = searching(words => {
			if (words === 'slow') return slow.steps;
			return (function* () {
				yield {keys: [9], newer: 0};
				throw new StorageError('damaged', 'gone');
			})();
		}, slow.clock);
		look('slow');
		expect(told).toEqual([{count: 1, nearest: 0, isOver: false}]);
		look('broken');
		await slow.still.advance(1000);
		expect(told.slice(1)).toEqual([{count: 1, nearest: 0, isOver: true}]);
		expect(searcher.idAt(0)).toBe('id 9');
		expect(slow.taken).toHaveLength(1);
	});
});
